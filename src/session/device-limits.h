// What a program may ask of the device as a whole (cudaDeviceSetLimit), and what the driver makes of it.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>

#include "exec/memory.h"
#include "gpu/model.h"
#include "session/status.h"

namespace lockstep::session {

// Numbered as CUDA's cudaLimit and CUlimit.
enum class Limit : int {
    stack = 0,             // bytes of a thread's stack: kept, but not enforced
    printf_buffer = 1,     // kept, but not enforced: what kernels print is never lost
    heap = 2,              // what malloc in kernels shares out
    sync_depth = 3,        // of dynamic parallelism
    pending_launches = 4,  // the same
    l2_granularity = 5,
    persisting_l2 = 6,
};

// Thread-safe.
class DeviceLimits {
  public:
    DeviceLimits(const gpu::GpuModel& gpu, exec::DeviceMemory& memory) : gpu_(gpu), memory_(memory) {
        reset();
    }
    Found<std::uint64_t> get(Limit limit) const;
    Outcome set(Limit limit, std::uint64_t value);
    void reset();  // to what a new device has

  private:
    const gpu::GpuModel& gpu_;
    exec::DeviceMemory& memory_;
    mutable std::mutex mutex_;
    std::map<Limit, std::uint64_t> values_;  // those that the GPU has
};

}  // namespace lockstep::session
