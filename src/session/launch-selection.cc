#include "session/launch-selection.h"

#include "report/activity.h"

namespace lockstep::session {
namespace {

std::optional<base::Pattern> pattern_of(const std::string& text) {
    if (text.empty()) return {};
    return *base::Pattern::create(text);
}

}  // namespace

LaunchSelection::LaunchSelection(const ProfileOptions& options)
    : options_(options),
      kernels_(options.kernels, options.names),
      streams_(pattern_of(options.streams)),
      invocations_(pattern_of(options.invocations)) {}

bool LaunchSelection::wants(const std::string& kernel, StreamId stream) {
    const std::uint64_t invocation = ++invoked_[kernel];
    if (launches_++ < options_.skip_before) return false;
    if (!kernels_.matches(kernel)) return false;
    if (streams_ && !streams_->matches(std::to_string(report::tool_stream(stream)))) return false;
    if (invocations_ && !invocations_->matches(std::to_string(invocation))) return false;
    const std::uint64_t number = matching_++;
    return number >= options_.skip && (!options_.count || number - options_.skip < *options_.count);
}

}  // namespace lockstep::session
