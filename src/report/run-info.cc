#include "report/run-info.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace lockstep::report {

RunInfo describe_run(const gpu::GpuModel& gpu, std::string lockstep_version, std::string command) {
    RunInfo info;
    info.lockstep_version = std::move(lockstep_version);
    info.command = std::move(command);
    info.gpu = gpu.id;
    info.gpu_name = gpu.full_name();
    info.compute_capability = gpu.compute_name();
    info.validated = gpu.timing.validated;
    info.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return info;
}

std::string validation_text(const RunInfo& info) {
    return info.validated.empty() ? "predictions not compared with a real one"
                                  : fmt::format("predictions: {}", info.validated);
}

std::string gpu_text(const RunInfo& info) {
    return fmt::format("{} ({}; {})", info.gpu_name, info.gpu, validation_text(info));
}

}  // namespace lockstep::report
