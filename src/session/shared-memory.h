// Device memory between processes: what this one shows to others, and what it has opened of theirs.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

#include "session/shared-files.h"

namespace lockstep::session {

class Device;
class Process;

// Thread-safe.
class SharedMemory {
  public:
    // For the allocation that holds the address.
    Found<SharedHandle> show(Process& process, std::uint64_t address);
    // Where the memory is here. A handle that is opened again is the same memory.
    Found<std::uint64_t> open(Process& process, const SharedHandle& handle);
    // As often as it was opened.
    Outcome close(Process& process, std::uint64_t address);
    // As open, where the file is known: of a pool.
    Found<std::uint64_t> open(Process& process, const SharedHandle& handle, int file);

  private:
    // What tells one memory from all others.
    using Identity = std::tuple<std::uint64_t, std::uint64_t>;  // of the file, in the file
    struct Opened {
        std::uint64_t address = 0;
        int times = 0;
    };

    std::mutex mutex_;
    std::map<Identity, Opened> opened_;
};

}  // namespace lockstep::session
