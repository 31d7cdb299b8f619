#include "session/repeated-launches.h"

#include <algorithm>
#include <utility>

#include "kernel/data-independence.h"

namespace lockstep::session {
namespace {

constexpr std::size_t most_known = 32;

}  // namespace

const RepeatedLaunch* RepeatedLaunches::find(const RepeatedShape& shape) const {
    if (watched_ < worth_compiling_s) return nullptr;
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.shape == shape; });
    return found == known_.end() ? nullptr : &found->launch;
}

bool RepeatedLaunches::may_repeat(const kernel::Kernel& kernel, const exec::Launch& launch) {
    if (launch.cooperative || launch.clustered) return false;
    if (std::exchange(asked_, &kernel) != &kernel) independent_ = kernel::is_data_independent(kernel);
    return independent_;
}

void RepeatedLaunches::keep(RepeatedShape shape, RepeatedLaunch launch, double seconds) {
    watched_ += seconds;
    // What is seen from near is told of a kernel's first launch only.
    if (launch.counts.prediction) launch.counts.prediction->close_up = nullptr;
    std::erase_if(known_, [&](const Known& known) { return known.shape == shape; });
    if (known_.size() == most_known) known_.pop_front();
    known_.push_back({std::move(shape), std::move(launch)});
}

}  // namespace lockstep::session
