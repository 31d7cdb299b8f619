#include <fmt/format.h>

#include <string_view>

#include "runtime/call.h"

namespace lockstep::runtime {

int missing(const char* function) {
    const Outcome outcome =
        Outcome::lacking(Status::not_supported, fmt::format("{} is not implemented", function));
    // Most programs can do without what they ask for here; not without their kernels.
    if (session::Process* current = process();
        current && std::string_view(function).find("Launch") != std::string::npos)
        current->launch_failed("", report::FailureKind::unsupported, outcome.reason);
    return finish(function, outcome);
}

}  // namespace lockstep::runtime

// For functions of a runtime that is linked into the program, and whose names no list of ours has
// (preload/preload.cc).
extern "C" __attribute__((visibility("default"))) int __lockstepMissing(const char* function) {
    return lockstep::runtime::missing(function);
}
