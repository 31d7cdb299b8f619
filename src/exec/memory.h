// A device's memory: host memory inside a reserved range of addresses of its own, with the limits of the GPU.
// What it has given out stands in the process's table (address-map.h).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/address-map.h"

namespace lockstep::exec {

// What malloc in kernels shares out unless the program says otherwise.
constexpr std::uint64_t default_heap_bytes = 8 << 20;

// Thread-safe: the host API and running kernels use it at once.
class DeviceMemory {
  public:
    // `capacity`: the bytes of device memory that the GPU model has. The map must outlive it. `large_apart`:
    // large allocations do not all begin at a page, where they would meet in the same sets of the host's
    // cache. On a GPU they do: whose counters tell which channel of the L2 an address has needs them there.
    DeviceMemory(AddressMap& map, std::uint64_t capacity, bool large_apart = true);
    // Of a process with this one device: it has a map of its own.
    explicit DeviceMemory(std::uint64_t capacity, MemoryRules rules = MemoryRules::exact);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // Memory is zero-filled on first use of its pages (a real GPU's is not; programs must not rely on
    // either). Fails when the device's capacity, or the host's memory behind it, is exhausted; the error says
    // which. Addresses are multiples of 512, as cudaMalloc's. An address that was freed is handed out again
    // as late as possible, so that a use after free is seen; with a GPU's rules as early as possible.
    Result<std::uint64_t> allocate(std::uint64_t size, MemoryKind kind, std::string name = {});
    // Addresses with no memory behind them: nothing is there until `back` puts memory there, and again after
    // that is released. They are the caller's until it gives them back.
    Result<std::uint64_t> reserve(std::uint64_t size, std::uint64_t alignment = 0);
    Result<void> back(std::uint64_t reserved, MemoryKind kind);
    void give_back_addresses(std::uint64_t reserved);
    // Memory of the file `fd`, from `offset` on, at reserved addresses: multiples of the page size of 2 MiB.
    // No device may use it until it is allowed to; neighbours that the same devices may use are one
    // allocation. False: the system refuses it.
    static constexpr std::uint64_t page = 2 << 20;
    bool map(std::uint64_t address, std::uint64_t size, int fd, bool of_host);
    // All that is mapped in a range: what a device may do with it, and that it is gone.
    void allow(std::uint64_t address, std::uint64_t size, int device, DeviceAccess access);
    void unmap(std::uint64_t address, std::uint64_t size);
    // Bytes of the device's memory that are such files.
    Result<void> take(std::uint64_t size);
    void give(std::uint64_t size);
    // Managed memory lies at addresses of its own. Where it is watched, its pages are those of a file, so
    // that the page table can forget them while the memory stays: then it tells what has been touched since,
    // by whomever, the system included. A protected page and a signal would make system calls fail.
    static constexpr std::uint64_t managed_block = 64 << 10;  // the least that CUDA's driver moves
    void watch_managed();                                     // before any is allocated
    // What the host may touch, too, has pages of the system to itself from now on: managed and pinned memory.
    void separate_host_pages();
    // Where there is memory that is not managed, in whole chunks.
    struct Span {
        std::uint64_t begin = 0, end = 0;
    };
    std::vector<Span> committed() const;
    // Blocks of managed memory, in order; empty: it is not watched.
    std::vector<bool> touched(const Allocation& managed) const;
    void forget_touches(const Allocation& managed);
    // Managed memory that kernels of this device have looked up since the last call, by address.
    std::set<std::uint64_t> take_reached();

    // For another process: the pages of an allocation become those of a file without a name, in which an
    // address stands at its distance from range_begin(). What is in them stays; nobody may write to them
    // meanwhile.
    struct Shared {
        int file = -1;  // the device's own: it stays open
        std::uint64_t offset = 0, size = 0;
        // A number that stands in the file, in this slot of the table at its end, until the memory is freed.
        std::uint64_t slot = 0, serial = 0;
    };
    Result<Shared> share(const Allocation& allocation);
    // The file itself; -1: the system refuses it.
    int shared_file();
    // Memory in such a file of another process: where it is here. It is released as others are. `gone`: it
    // has been freed there.
    Result<std::uint64_t> import(const Shared& other, bool& gone);
    // As AddressMap::register_host; release_all undoes it.
    Result<void> register_host(std::uint64_t address, std::uint64_t size) {
        return map_.register_host(address, size, number_);
    }
    // Frees what allocate returned, or undoes register_host. False if the address is not the start of one.
    bool release(std::uint64_t address);
    // The same for what malloc returned in a kernel, and nothing else; what it was.
    std::optional<Allocation> release_heap(std::uint64_t address);
    // Whether malloc returned it in a kernel and it was freed since, not long ago.
    bool was_heap(std::uint64_t address) const;
    void release_all();  // cudaDeviceReset

    // The live allocation that holds [address, address + size), if one does that kernels of this device
    // reach: its own, and what is the host's or managed.
    std::optional<Allocation> find(std::uint64_t address, std::uint64_t size = 1) const;
    std::string describe(std::uint64_t address) const { return map_.describe(address); }
    // Of memory that is there, and that kernels of this device do not reach: what would let them.
    std::optional<std::string> how_to_reach(std::uint64_t address, std::uint64_t size) const;

    // With a GPU's rules: whether an access that is in no allocation hits memory all the same.
    bool lets_pass(std::uint64_t address, std::uint64_t size) const;
    // For the message about an access out of bounds: "; a GPU lets this pass: --memory gpu", or nothing.
    std::string what_a_gpu_does(std::uint64_t address, std::uint64_t size) const;

    // Whether kernels reach what another device has allocated (by its number).
    void reach_peer(int other, bool reaches);
    bool reaches_peer(int other) const;

    // How many bytes malloc in kernels may share out. False once it has been used.
    bool set_heap_limit(std::uint64_t bytes);

    AddressMap& map() const { return map_; }
    int number() const { return number_; }  // in its map: 0, 1, …
    std::uint64_t capacity() const { return capacity_; }
    // Bytes of device memory taken. Pinned, registered and managed memory is the host's, and does not count.
    std::uint64_t used() const;
    // What one more allocation could have: the rest of the capacity, or less where the host has less memory.
    std::uint64_t available() const;
    std::uint64_t range_begin() const { return begin_; }  // the reserved address range
    std::uint64_t range_end() const { return end_; }

    void set_read_only(std::uint64_t address);

  private:
    friend class AddressMap;

    DeviceMemory(std::unique_ptr<AddressMap> own, AddressMap* map, std::uint64_t capacity, bool large_apart);
    // With the map's mutex held, which guards all of this.
    void reserve_range();
    bool is_reserved(std::uint64_t address, std::uint64_t size) const;
    Result<void> check_room(std::uint64_t size, MemoryKind kind) const;
    Result<void> put_memory(std::uint64_t address, std::uint64_t size, MemoryKind kind, std::string name);
    bool reaches(const Allocation& allocation) const;
    void list_mapped();
    void give_back(const Allocation& old);
    // Bytes of the range, for an allocation.
    std::uint64_t taken_by(std::uint64_t size, MemoryKind kind = MemoryKind::device) const;
    std::uint64_t alignment_of(std::uint64_t size, MemoryKind kind = MemoryKind::device) const;
    bool has_own_pages(MemoryKind kind) const;
    // `apart`: large ones not all at a page's begin.
    std::optional<std::uint64_t> take_hole(std::uint64_t size, std::uint64_t alignment,
                                           MemoryKind kind = MemoryKind::device, bool apart = false);
    bool mapped(std::uint64_t address, std::uint64_t size) const;
    void give_hole(std::uint64_t begin, std::uint64_t size);
    void drop_pages(std::uint64_t address, std::uint64_t size);
    bool open_shared_file();
    bool share_pages(std::uint64_t address, std::uint64_t size);
    void unshare(std::uint64_t first, std::uint64_t last);
    bool commit(std::uint64_t begin, std::uint64_t size);
    void decommit(std::uint64_t begin, std::uint64_t size);

    const std::unique_ptr<AddressMap> own_map_;
    AddressMap& map_;
    int number_ = 0;
    std::map<std::uint64_t, std::uint64_t> holes_;  // free address ranges: begin -> size
    std::set<int> peers_;
    struct Mapping {
        std::uint64_t size = 0;
        Accessors access;
        bool of_host = false;
    };
    std::map<std::uint64_t, Mapping> mappings_;        // by address
    std::map<std::uint64_t, std::uint64_t> reserved_;  // begin -> size, as asked for
    std::uint64_t begin_ = 0, end_ = 0, capacity_ = 0, used_ = 0;
    const bool large_apart_;
    std::uint64_t managed_begin_ = 0;  // what is managed lies from here to the end
    int managed_file_ = -1;
    bool host_pages_ = false;
    mutable std::set<std::uint64_t> reached_;
    std::uint64_t heap_limit_ = default_heap_bytes, heap_taken_ = 0;
    bool heap_used_ = false;
    std::uint64_t next_ = 0, next_managed_ = 0;  // where the search for a hole goes on
    std::vector<std::uint32_t> users_;           // live allocations that touch each chunk of the range
    int shared_file_ = -1;
    std::set<std::uint64_t> shared_;           // chunks whose pages are the file's
    std::map<std::uint64_t, Shared> exports_;  // by address
    std::uint64_t last_serial_ = 0;
    struct Import {
        std::uint64_t begin = 0, size = 0;  // whole chunks
    };
    std::map<std::uint64_t, Import> imports_;  // by the allocation's address
};

}  // namespace lockstep::exec
