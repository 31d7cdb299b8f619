#include "exec/launch-progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::exec {

void LaunchProgress::show(std::uint64_t begun, Clock::time_point now) {
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const auto done = static_cast<double>(std::min(begun, blocks_));
    const double rate = done / seconds, left = (static_cast<double>(blocks_) - done) / rate;
    const auto time = left < 100 ? fmt::format("{:.0f} s", left) : fmt::format("{:.0f} min", left / 60);
    show_(fmt::format("{}: block {:.0f} of {} ({:.0f} %), {:.3g} a second, {} left",
                      kernel_.substr(0, kernel_.find('(')), done, blocks_,
                      100 * done / static_cast<double>(blocks_), rate, time));
    shown_ = true;
    next_ = now + std::chrono::seconds(1);
}

}  // namespace lockstep::exec
