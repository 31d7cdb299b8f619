#include "report/shown-metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/run-schema.h"
#include "report/run-writer.h"

namespace lockstep::report {

std::optional<double> Shown::value(const Launch& launch) const {
    return index ? launch.values[*index] : std::nullopt;
}

const Aggregate* Shown::value(const KernelResult& kernel) const {
    return index && kernel.metrics[*index].count != 0 ? &kernel.metrics[*index] : nullptr;
}

std::optional<double> Shown::share_of_peak(const KernelResult& kernel) const {
    if (!share || kernel.metrics[*share].count == 0) return {};
    return kernel.metrics[*share].average();
}

std::vector<Shown> find_metrics(const RunFile& run, std::span<const metrics::Selected> selected) {
    std::vector<Shown> shown;
    for (const metrics::Selected& one : selected) {
        const std::string& share = one.metric->share_of_peak;
        shown.push_back({one, run.metric(one.metric->names[0]),
                         share.empty() ? std::nullopt : run.metric(share), !run.info.measured_by.empty()});
    }
    return shown;
}

std::vector<std::string> notes(const RunFile& run, std::span<const Shown> shown, bool launches) {
    std::vector<std::string> result, none, unknown;
    for (const Shown& one : shown) {
        const bool anywhere = std::any_of(run.kernels.begin(), run.kernels.end(),
                                          [&](const KernelResult& kernel) { return one.value(kernel); });
        if (anywhere) continue;
        (one.index ? none : unknown).push_back(one.name());
    }
    if (!none.empty())
        result.push_back(fmt::format("n/a: {} {} no value for these launches on {}", fmt::join(none, ", "),
                                     none.size() == 1 ? "has" : "have", run.info.devices.front().gpu_name));
    if (!unknown.empty())
        result.push_back(fmt::format("n/a: {} {} not in this run file, which lockstep {} wrote",
                                     fmt::join(unknown, ", "), unknown.size() == 1 ? "is" : "are",
                                     run.info.lockstep_version));
    for (const KernelResult& kernel : run.kernels) {
        if (launches && kernel.kept < kernel.launches)
            result.push_back(fmt::format(
                "{}: {} of {} launches have no row of their own (a kernel keeps {}); min, max and "
                "average without --launches are over all of them",
                kernel.name, kernel.launches - kernel.kept, kernel.launches, most_launch_rows));
        if (kernel.faults != 0)
            result.push_back(fmt::format("{}: {} failed; its counts end where it did", kernel.name,
                                         plural(kernel.faults, "launch", "launches")));
    }
    if (std::string note = sampling_note(run); !note.empty()) result.push_back(std::move(note));
    for (const std::string& gap : run.gaps) result.push_back(fmt::format("not complete: {}", gap));
    return result;
}

std::string sampling_note(const RunFile& run) {
    SampledLaunches all;
    for (const KernelResult& kernel : run.kernels) {
        all.launches += kernel.sampled.launches;
        all.blocks += kernel.sampled.blocks;
        all.executed += kernel.sampled.executed;
    }
    if (all.launches == 0) return "";
    return fmt::format(
        "estimates (--sample): {} executed in part, {} of {} blocks. Counts are scaled from these, times "
        "predicted from them; what the other blocks would have written is missing, also for what ran later",
        plural(all.launches, "launch was", "launches were"), all.executed, all.blocks);
}

std::string left_out_note(const RunFile& run) {
    constexpr std::size_t most = 5;
    std::vector<std::string> parts;
    for (const LeftOut& one : run.left_out) {
        if (parts.size() == most) {
            parts.push_back(fmt::format("and of {} more kernels", run.left_out.size() - most));
            break;
        }
        parts.push_back(fmt::format("{} of {}", plural(one.launches, "launch", "launches"), one.kernel));
    }
    return parts.empty() ? "" : fmt::format("not profiled, as was asked for: {}", fmt::join(parts, ", "));
}

std::string prediction_note(const RunFile& run, std::span<const Shown> shown) {
    std::vector<std::string> names;
    for (const Shown& one : shown)
        if (one.is_predicted()) names.push_back(one.name());
    if (names.empty()) return "";
    return fmt::format("predicted for {}, not counted: {}", gpu_text(run.info, run.kernels),
                       fmt::join(names, ", "));
}

}  // namespace lockstep::report
