#include "time-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kendall.h"
#include "measure/calibration.h"

namespace lockstep::validation {

std::vector<std::string> predicted_metrics() {
    std::vector<std::string> names = {duration,
                                      "sm__warps_active.avg.pct_of_peak_sustained_active",
                                      "dram__bytes_read.sum",
                                      "dram__bytes_write.sum",
                                      "lts__t_sectors_op_read.sum",
                                      "lts__t_sectors_op_write.sum",
                                      "lts__t_sector_hit_rate.pct",
                                      "l1tex__t_sector_hit_rate.pct",
                                      "smsp__issue_active.avg.pct_of_peak_sustained_active",
                                      "smsp__warps_eligible.avg.per_cycle_active"};
    for (const char* state :
         {"barrier", "branch_resolving", "drain", "lg_throttle", "long_scoreboard", "math_pipe_throttle",
          "membar", "mio_throttle", "no_instruction", "not_selected", "short_scoreboard", "wait"})
        names.push_back(fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", state));
    return names;
}

double TimeError::factor() const { return std::max(predicted / measured, measured / predicted); }

std::vector<TimeError> time_errors(std::span<const Pair> pairs) {
    std::vector<TimeError> errors;
    for (const Pair& pair : pairs) {
        const auto measured = pair.recorded->values.find(duration);
        const auto predicted = pair.ours->values.find(duration);
        if (measured == pair.recorded->values.end() || predicted == pair.ours->values.end()) continue;
        if (pair.recorded->grid != pair.ours->grid) continue;
        errors.push_back({pair, measured->second, predicted->second});
    }
    return errors;
}

std::vector<TimeError> of_program(std::span<const TimeError> errors, const std::string& program) {
    std::vector<TimeError> list;
    for (const TimeError& error : errors)
        if (error.pair.recorded->program == program) list.push_back(error);
    return list;
}

std::vector<TimeError> net_of(std::span<const TimeError> errors, double overhead) {
    constexpr double noise = 300;  // ns, of launches of the same kernel under ncu
    std::vector<TimeError> list;
    for (const TimeError& error : errors)
        if (error.measured > overhead + noise)
            list.push_back(
                {error.pair, error.measured - overhead, std::max(1.0, error.predicted - overhead)});
    return list;
}

TimeSummary summarize(std::span<const TimeError> errors) {
    TimeSummary summary;
    summary.launches = errors.size();
    std::vector<double> sizes;
    for (const TimeError& error : errors) {
        const double size = std::fabs(error.relative());
        summary.mean += size / static_cast<double>(errors.size());
        summary.within_10 += size <= 0.10;
        summary.within_20 += size <= 0.20;
        sizes.push_back(size);
    }
    summary.median = median(sizes);
    summary.worst =
        *std::max_element(errors.begin(), errors.end(),
                          [](const TimeError& a, const TimeError& b) { return a.factor() < b.factor(); });
    return summary;
}

double order(std::span<const TimeError> errors) {
    std::vector<double> measured, predicted;
    for (const TimeError& error : errors) {
        measured.push_back(error.measured);
        predicted.push_back(error.predicted);
    }
    return kendall_tau(measured, predicted);
}

std::string validated_text(std::span<const TimeError> errors) {
    std::vector<double> relative;
    for (const TimeError& error : errors) relative.push_back(error.relative());
    return measure::validation_text(relative);
}

}  // namespace lockstep::validation
