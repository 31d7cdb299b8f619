#include "report/run-info.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace lockstep::report {

RunInfo describe_run(std::span<const gpu::GpuModel* const> gpus, std::string lockstep_version,
                     std::string command) {
    RunInfo info;
    info.lockstep_version = std::move(lockstep_version);
    info.command = std::move(command);
    info.devices.clear();
    for (const gpu::GpuModel* gpu : gpus)
        info.devices.push_back({gpu->id, gpu->full_name(), gpu->compute_name(),
                                gpu->timing.validated != gpu::TimingFigures::Validated{}});
    info.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return info;
}

std::string device_text(const RunInfo& info, int device) {
    return fmt::format("{} ({})", info.devices.at(static_cast<std::size_t>(device)).gpu_name, device);
}

std::string device_note(const RunInfo& info, int device) {
    return info.several_devices() ? fmt::format(", device {}", device) : "";
}

std::string sample_note(const SampledLaunches& sampled) {
    if (sampled.launches == 0) return "";
    return fmt::format(" (estimated from {} of {} blocks)", sampled.executed, sampled.blocks);
}

const char* times_are(const RunInfo& info) { return info.measured_by.empty() ? "predicted" : "measured"; }

std::string validation_text(const DeviceInfo& device, const CodeOrigin& code) {
    if (!code.validated.empty()) return fmt::format("predictions: {}", code.validated);
    if (!device.validated) return "predictions not compared with a real one";
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
    std::string text;
    for (std::size_t d = 0; d < info.devices.size(); ++d) {
        const DeviceInfo& device = info.devices[d];
        if (info.several_devices()) text += fmt::format("{}device {}: ", d ? ", " : "", d);
        if (!info.measured_by.empty()) {
            text += fmt::format("{} (the real one, measured by {})", device.gpu_name, info.measured_by);
            continue;
        }
        text += fmt::format("{} ({}", device.gpu_name, device.gpu);
        std::vector<KernelResult> own;
        for (const KernelResult& kernel : kernels)
            if (kernel.device == static_cast<int>(d)) own.push_back(kernel);
        for (const CodeOrigin& code : code_origins(own))
            text += fmt::format("; code of {}; {}", code.compiler, validation_text(device, code));
        text += ")";
    }
    return text;
}

}  // namespace lockstep::report
