#include "session/stats.h"

#include <fmt/format.h>

namespace lockstep::session {

std::string Stats::to_string() const {
    return fmt::format(
        "{} launches, {} blocks, {} threads in {:.6f} s; {} warp instructions, {} thread instructions; "
        "{} allocations, at most {} bytes at once; copied {} bytes to the device, {} to the host, {} within "
        "the device",
        launches, blocks, threads, kernel_seconds, warp_instructions, thread_instructions, allocations,
        peak_bytes, copied.to_device, copied.to_host, copied.on_device);
}

}  // namespace lockstep::session
