// Device memory: host memory inside one reserved range of addresses, so that a device address is a host
// address and every access can be checked against the table of allocations before it happens.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::exec {

enum class MemoryKind : std::uint8_t {
    device,    // cudaMalloc
    managed,   // cudaMallocManaged, __managed__
    pinned,    // cudaMallocHost, cudaHostAlloc: host memory that the device may read and write
    host,      // cudaHostRegister: the program's own memory, made accessible
    variable,  // __device__ / __constant__ variables
    heap,      // malloc in kernels
};

// What a kernel may reach beside the bytes of an allocation.
enum class MemoryRules : std::uint8_t {
    exact,  // nothing
    gpu,  // what a GPU with CUDA's driver lets it reach: everything in the 2 MiB pages that hold allocations
};

// What malloc in kernels shares out unless the program says otherwise.
constexpr std::uint64_t default_heap_bytes = 8 << 20;

struct Allocation {
    std::uint64_t address = 0;
    std::uint64_t size = 0;  // as asked for; accesses beyond it are faults
    MemoryKind kind{};
    std::string name;        // of a variable, for messages
    bool read_only = false;  // __constant__: kernels may not write
    std::uint64_t end() const { return address + size; }
};

// Thread-safe: the host API and running kernels use it at once.
class DeviceMemory {
  public:
    // `capacity`: the bytes of device memory that the GPU model has.
    explicit DeviceMemory(std::uint64_t capacity, MemoryRules rules = MemoryRules::exact);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // Memory is zero-filled on first use of its pages (a real GPU's is not; programs must not rely on
    // either). Fails when the device's capacity, or the host's memory behind it, is exhausted; the error says
    // which. Addresses are multiples of 512, as cudaMalloc's. An address that was freed is handed out again
    // as late as possible, so that a use after free is seen; with a GPU's rules as early as possible.
    Result<std::uint64_t> allocate(std::uint64_t size, MemoryKind kind, std::string name = {});
    // Makes the program's own host memory accessible to kernels, at its own address.
    Result<void> register_host(std::uint64_t address, std::uint64_t size);
    // Frees what allocate returned, or undoes register_host. False if the address is not the start of one.
    bool release(std::uint64_t address);
    // The same for what malloc returned in a kernel, and nothing else; what it was.
    std::optional<Allocation> release_heap(std::uint64_t address);
    // Whether malloc returned it in a kernel and it was freed since, not long ago.
    bool was_heap(std::uint64_t address) const;
    void release_all();  // cudaDeviceReset

    // The live allocation that holds [address, address + size), if one does.
    std::optional<Allocation> find(std::uint64_t address, std::uint64_t size = 1) const;
    // "32 bytes after the end of the 4096-byte allocation at 0x…", "inside a freed …", for error messages.
    std::string describe(std::uint64_t address) const;

    // With a GPU's rules: whether an access that is in no allocation hits memory all the same.
    bool lets_pass(std::uint64_t address, std::uint64_t size) const;
    // For the message about an access out of bounds: "; a GPU lets this pass: --memory gpu", or nothing.
    std::string what_a_gpu_does(std::uint64_t address, std::uint64_t size) const;

    // How many bytes malloc in kernels may share out. False once it has been used.
    bool set_heap_limit(std::uint64_t bytes);

    std::uint64_t capacity() const { return capacity_; }
    // Bytes of device memory taken. Pinned, registered and managed memory is the host's, and does not count.
    std::uint64_t used() const;
    // What one more allocation could have: the rest of the capacity, or less where the host has less memory.
    std::uint64_t available() const;
    // Changes whenever the set of allocations does: a reader that keeps a copy of it knows when to take a new
    // one.
    std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
    std::vector<Allocation> allocations() const;  // by address

    std::uint64_t range_begin() const { return begin_; }  // the reserved address range
    std::uint64_t range_end() const { return end_; }

    void set_read_only(std::uint64_t address);

  private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, Allocation> live_;      // by address
    std::vector<Allocation> freed_;                 // the most recent ones, for messages
    std::map<std::uint64_t, std::uint64_t> holes_;  // free address ranges: begin -> size
    MemoryRules rules_;
    std::uint64_t begin_ = 0, end_ = 0, capacity_ = 0, used_ = 0;
    std::uint64_t heap_limit_ = default_heap_bytes, heap_taken_ = 0;
    bool heap_used_ = false;
    std::uint64_t mapped_ = 0;      // bytes of all live allocations in the range
    std::uint64_t host_limit_ = 0;  // most that mapped_ may become: the host memory available at the start
    std::uint64_t next_ = 0;        // where the search for a hole goes on
    std::vector<std::uint32_t> users_;  // live allocations that touch each chunk of the range
    std::atomic<std::uint64_t> generation_{0};

    std::uint64_t taken_by(std::uint64_t size) const;  // bytes of the range, for an allocation
    std::optional<std::uint64_t> take_hole(std::uint64_t size, std::uint64_t alignment);
    bool mapped(std::uint64_t address, std::uint64_t size) const;
    void give_hole(std::uint64_t begin, std::uint64_t size);
    bool commit(std::uint64_t begin, std::uint64_t size);
    void decommit(std::uint64_t begin, std::uint64_t size);
    void release_locked(std::map<std::uint64_t, Allocation>::iterator it);
};

}  // namespace lockstep::exec
