// Programs launch the same kernel again and again. Where what a kernel does follows from its launch alone
// (kernel/data-independence.h), a launch that repeats an earlier one has its counts and its predicted time:
// it need not be watched.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "exec/engine.h"
#include "kernel/kernel.h"
#include "metrics/launch.h"
#include "timing/host-memory.h"

namespace lockstep::session {

// Code that is not watched is another compilation: before a kernel's launches have taken about as long as
// that does, they go on being watched.
constexpr double worth_compiling_s = 0.05;

// All that decides what such a launch does and takes.
struct RepeatedShape {
    const kernel::Kernel* kernel = nullptr;  // another one where its module was linked anew
    std::array<std::uint32_t, 3> grid{}, block{};
    std::uint32_t dynamic_shared_bytes = 0;
    int carveout = 0;
    std::vector<std::byte> params;
    timing::HostRanges host;
    bool operator==(const RepeatedShape&) const = default;
};

struct RepeatedLaunch {
    metrics::Launch counts;
    exec::LaunchStats stats;
};

// Of one kernel.
class RepeatedLaunches {
  public:
    // The earlier launch that one of this shape repeats, once that spares something. Null: it has to be
    // watched.
    const RepeatedLaunch* find(const RepeatedShape& shape) const;
    // Whether a launch of `kernel` that is watched now may be repeated; if so, it is to be kept.
    bool may_repeat(const kernel::Kernel& kernel, const exec::Launch& launch);
    // `seconds`: that it took, watched.
    void keep(RepeatedShape shape, RepeatedLaunch launch, double seconds);

  private:
    struct Known {
        RepeatedShape shape;
        RepeatedLaunch launch;
    };
    std::deque<Known> known_;                // the newest last
    const kernel::Kernel* asked_ = nullptr;  // of which it is known …
    bool independent_ = false;               // … whether its data decide nothing
    double watched_ = 0;                     // seconds
};

}  // namespace lockstep::session
