// Virtual memory management: a program reserves addresses, makes memory, puts the one behind the other, as
// often as it likes, and says which devices may use it.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/address-map.h"
#include "session/status.h"

namespace lockstep::session {

class Device;
class Process;

// Thread-safe.
class VirtualMemory {
  public:
    using Handle = std::uint64_t;
    // What sizes and places are multiples of.
    static constexpr std::uint64_t granularity = 2 << 20;

    Found<std::uint64_t> reserve(Device& device, std::uint64_t size, std::uint64_t alignment);
    Outcome give_back(std::uint64_t address, std::uint64_t size);
    // `shareable`: for other processes, too. `of_host`: the host's memory, which the device that was current
    // keeps the addresses of.
    Found<Handle> create(Device& device, std::uint64_t size, bool shareable, bool of_host);
    // A file that stands for the memory in other processes; it is the caller's.
    Found<int> show(Handle handle);
    // Memory that another process shows by such a file, which stays the caller's.
    Found<Handle> import(Process& process, int file);
    // Mappings keep what they show.
    Outcome release(Handle handle);
    Found<Handle> handle_at(std::uint64_t address);
    struct Properties {
        int device = 0;
        bool shareable = false, of_host = false;
    };
    Found<Properties> properties_of(Handle handle);

    Outcome map(std::uint64_t address, std::uint64_t size, std::uint64_t offset, Handle handle);
    Outcome unmap(std::uint64_t address, std::uint64_t size);
    Outcome allow(Process& process, std::uint64_t address, std::uint64_t size, int device,
                  exec::DeviceAccess access);
    Found<exec::DeviceAccess> access_of(std::uint64_t address, int device);
    // The host may use what is its own, and nothing else.
    bool is_of_host(std::uint64_t address);
    Outcome allow_host(std::uint64_t address, std::uint64_t size);

  private:
    // A part of a device's memory: a file without a name, so that it can stand at several addresses.
    struct Memory {
        ~Memory();
        Device* device = nullptr;
        std::uint64_t size = 0;
        int file = -1;
        bool shareable = false;
        bool imported = false;  // it counts where it was made
        bool of_host = false;
    };
    struct Reserved {
        Device* device = nullptr;
        std::uint64_t size = 0;
    };
    struct Mapped {
        std::shared_ptr<Memory> memory;
        Handle handle = 0;
        exec::Accessors access;
    };
    // The reservation that holds the range; null: none does.
    const Reserved* holder(std::uint64_t address, std::uint64_t size) const;
    bool is_mapped(std::uint64_t address) const;
    // What is mapped in the range, where all of it is.
    std::vector<Mapped*> mapped_in(std::uint64_t address, std::uint64_t size);

    std::mutex mutex_;
    std::map<std::uint64_t, Reserved> reserved_;
    std::map<std::uint64_t, Mapped> mapped_;
    std::map<Handle, std::pair<std::shared_ptr<Memory>, int>> handles_;  // with how often it is held
    Handle last_ = 0;
};

}  // namespace lockstep::session
