#include "report/activity.h"

namespace lockstep::report {

std::optional<Activity> activity_of(const timing::Placement& placement) {
    using timing::OperationKind;
    const timing::Operation& operation = placement.operation;
    Activity activity;
    activity.begin = placement.begin;
    activity.end = placement.end;
    activity.device = placement.device;
    activity.stream = operation.stream;
    activity.bytes = operation.bytes;
    if (operation.trace) activity.trace = *operation.trace;
    const bool managed = operation.pages != timing::Pages::none;
    // A prefetch of what is there already moves nothing.
    if (managed && operation.bytes == 0) return {};
    const std::string host = operation.pageable ? "Pageable" : "Pinned";
    const auto named = [&](const char* name, const std::string& source, const std::string& target) {
        activity.name = name;
        activity.source = source;
        activity.target = target;
        return activity;
    };
    switch (operation.kind) {
        case OperationKind::kernel: return named(operation.name.c_str(), "", "");
        case OperationKind::copy_to_device:
            if (managed) return named("[Unified Memory Memcpy HtoD]", "Managed", "Device");
            return named("[CUDA memcpy HtoD]", host, "Device");
        case OperationKind::copy_to_host:
            if (managed) return named("[Unified Memory Memcpy DtoH]", "Device", "Managed");
            return named("[CUDA memcpy DtoH]", "Device", host);
        case OperationKind::copy_on_device: return named("[CUDA memcpy DtoD]", "Device", "Device");
        case OperationKind::copy_on_host: return named("[CUDA memcpy HtoH]", host, host);
        case OperationKind::fill: return named("[CUDA memset]", "Device", "");
        default: return {};
    }
}

namespace {
constexpr std::uint64_t default_stream = 7, first_own = 13, first_own_id = 3;
}

std::uint64_t tool_stream(timing::StreamId stream) {
    return stream < first_own_id ? default_stream : stream - first_own_id + first_own;
}

timing::StreamId stream_of_tool(std::uint64_t number) {
    return number < first_own ? timing::legacy_stream : number - first_own + first_own_id;
}

}  // namespace lockstep::report
