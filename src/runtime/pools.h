// Memory pools: they only count what is taken from them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "runtime/api.h"
#include "session/shared-files.h"

namespace lockstep::session {
class Process;
}

// The type that cudaMemPool_t points to.
struct CUmemPoolHandle_st {
    int device = 0;
    std::uint64_t used = 0, used_high = 0;
    // What a GPU's pool would hold for later: in pieces, given back beyond the threshold when memory is
    // freed.
    std::uint64_t reserved = 0, reserved_high = 0;
    std::uint64_t release_threshold = 0;
    void take(std::uint64_t bytes);
    void give_back(std::uint64_t bytes);
    void keep_at_most(std::uint64_t bytes);  // of what is not used
    std::set<int> peers{};                   // devices that may use its memory, beside its own
    int reuse[3] = {1, 1, 1};                // the three switches for reuse, which change nothing here
    bool shareable = false;                  // other processes may have it
    std::shared_ptr<lockstep::session::OpenFile> import{};  // of another process: its memory's file
};

namespace lockstep::runtime {

// Those that a program made, and what it has taken from any. Handles outlive a device's memory, so that pools
// are kept beside it.
struct Pools {
    std::mutex mutex;  // of the devices' own pools, too
    std::map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> made;
    std::map<void*, std::pair<cudaMemPool_t, std::size_t>> taken;
    std::set<void*> imported;  // memory of other processes' pools
};

// Frees memory of another process's pool; nothing where it is no such memory.
std::optional<session::Outcome> free_imported(session::Process& process, void* pointer);

}  // namespace lockstep::runtime
