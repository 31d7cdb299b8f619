#include "report/run-info.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace lockstep::report {

RunInfo describe_run(const gpu::GpuModel& gpu, std::string lockstep_version, std::string command) {
    RunInfo info;
    info.lockstep_version = std::move(lockstep_version);
    info.command = std::move(command);
    info.gpu = gpu.id;
    info.gpu_name = gpu.full_name();
    info.compute_capability = gpu.compute_name();
    info.validated = gpu.timing.validated != gpu::TimingFigures::Validated{};
    info.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return info;
}

std::string validation_text(const RunInfo& info, const CodeOrigin& code) {
    if (!code.validated.empty()) return fmt::format("predictions: {}", code.validated);
    if (!info.validated) return "predictions not compared with a real one";
    return code.optimised ? "predictions not validated for this compiler"
                          : "predictions not validated for unoptimised code";
}

std::vector<CodeOrigin> code_origins(std::span<const KernelResult> kernels) {
    std::vector<CodeOrigin> origins;
    for (const KernelResult& kernel : kernels)
        if (std::ranges::find(origins, kernel.code) == origins.end()) origins.push_back(kernel.code);
    return origins;
}

std::string gpu_text(const RunInfo& info, std::span<const KernelResult> kernels) {
    std::string text = fmt::format("{} ({}", info.gpu_name, info.gpu);
    for (const CodeOrigin& code : code_origins(kernels))
        text += fmt::format("; code of {}; {}", code.compiler, validation_text(info, code));
    return text + ")";
}

}  // namespace lockstep::report
