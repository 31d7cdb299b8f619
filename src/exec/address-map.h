// Who owns an address: one table of all memory that the devices of a process have given out, and of the host
// memory that was made accessible to them. Device addresses are host addresses, so that one lookup tells the
// kind and the owner of any pointer, and every access can be checked before it happens.
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

class DeviceMemory;

enum class MemoryKind : std::uint8_t {
    device,    // cudaMalloc
    managed,   // cudaMallocManaged, __managed__
    pinned,    // cudaMallocHost, cudaHostAlloc: host memory that devices may read and write
    host,      // cudaHostRegister: the program's own memory, made accessible
    variable,  // __device__ / __constant__ variables
    runtime,   // what lockstep keeps there for kernels, by its name: nothing that a program has made
    heap,      // malloc in kernels
    mapped,    // cuMemMap: memory that the program has put behind addresses that it had reserved
    located,   // the same of the host's memory, which is the host's without leave
    imported,  // cudaIpcOpenMemHandle: device memory that another process has allocated
};

// As messages name it: "device memory".
const char* name_of(MemoryKind kind);

// What a kernel may reach beside the bytes of an allocation.
enum class MemoryRules : std::uint8_t {
    exact,  // nothing
    gpu,  // what a GPU with CUDA's driver lets it reach: everything in the 2 MiB pages that hold allocations
};

// What a device may do with memory that its program shares out (cuMemSetAccess, cudaMemPoolSetAccess), by
// CUDA's numbers.
enum class DeviceAccess : std::uint8_t { none = 0, read = 1, read_write = 3 };

// Which devices may: a bit for each.
struct Accessors {
    std::uint32_t read = 0, write = 0;
    bool operator==(const Accessors&) const = default;
    void set(int device, DeviceAccess access);
    DeviceAccess of(int device) const;
};

// Host memory that belongs to the process, not to what one device has made.
inline constexpr int no_device = -1;

struct Allocation {
    std::uint64_t address = 0;
    std::uint64_t size = 0;  // as asked for; accesses beyond it are faults
    MemoryKind kind{};
    std::string name;        // of a variable, for messages
    bool read_only = false;  // __constant__: kernels may not write
    int owner = no_device;   // DeviceMemory::number of who has made it
    Accessors access{};      // of mapped memory, and a pool's
    std::uint64_t end() const { return address + size; }
};

// Thread-safe: the host API and running kernels use it at once.
class AddressMap {
  public:
    explicit AddressMap(MemoryRules rules = MemoryRules::exact);
    AddressMap(const AddressMap&) = delete;
    AddressMap& operator=(const AddressMap&) = delete;

    MemoryRules rules() const { return rules_; }

    // The live allocation that holds [address, address + size), if one does, whoever owns it.
    std::optional<Allocation> find(std::uint64_t address, std::uint64_t size = 1) const;
    // "32 bytes after the end of the 4096-byte allocation at 0x…", "inside a freed …", for error messages.
    std::string describe(std::uint64_t address) const;
    // Whether it is one of the addresses from which a device gives out memory.
    bool in_device_range(std::uint64_t address) const;
    // Whether a device has reserved the addresses (DeviceMemory::reserve), be there memory or not.
    bool is_reserved(std::uint64_t address, std::uint64_t size) const;
    std::vector<Allocation> allocations() const;  // by address
    // First and last but one address of what is the host's memory, wherever kernels use it: in ascending
    // order.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> host_ranges() const;

    // Makes the program's own host memory accessible to kernels of all devices, at its own address.
    Result<void> register_host(std::uint64_t address, std::uint64_t size, int owner = no_device);
    // Frees what a device gave out, or undoes register_host. False if the address is not the start of one.
    bool release(std::uint64_t address);

  private:
    friend class DeviceMemory;
    using Table = std::map<std::uint64_t, Allocation>;  // by address

    // With the mutex held.
    const Allocation* holder(std::uint64_t address, std::uint64_t size) const;
    bool is_in_range(std::uint64_t address) const;
    void forget(Table::iterator it);
    std::string noun(const Allocation& allocation) const;

    mutable std::mutex mutex_;  // of the devices' memory, too
    const MemoryRules rules_;
    Table live_;
    std::vector<Allocation> freed_;       // the most recent ones, for messages
    std::vector<DeviceMemory*> devices_;  // by number
    // All ranges lie between these: most host addresses are told from them without the lock.
    std::atomic<std::uint64_t> lowest_{~std::uint64_t{0}}, highest_{0};
    std::uint64_t mapped_ = 0;      // bytes of all live allocations in the devices' ranges
    std::uint64_t host_limit_ = 0;  // most that mapped_ may become: the host memory available at the start
};

}  // namespace lockstep::exec
