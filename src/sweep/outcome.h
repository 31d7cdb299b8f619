// What one point of a sweep gave: plain data, read from the run file that the program left.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "metrics/metric.h"
#include "report/run-reader.h"
#include "timing/prediction.h"

namespace lockstep::sweep {

struct KernelOutcome {
    std::string name;
    std::uint64_t launches = 0;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // of the longest launch
    std::optional<timing::Bound> bound;                          // of that launch
    std::vector<report::Aggregate> values;                       // in the order of metrics::metrics()

    // Over all launches: the sum of metrics that are sums, the average of others. `metric` must be one of
    // metrics::metrics().
    std::optional<double> value(const metrics::Metric& metric) const;
    std::optional<double> value(const char* metric) const;
};

struct Outcome {
    std::string failure;         // why there is nothing to compare; empty: there is
    std::string output, errors;  // what the program wrote, where it failed
    std::string gpu, gpu_name;   // the model's name, the GPU's
    std::vector<KernelOutcome> kernels;
    std::vector<std::string> left_out;  // kernels that were launched and not asked for
    std::vector<std::string> gaps;      // why more may have been launched than is known of

    const KernelOutcome* kernel(const std::string& name) const;
};

// A launch that the GPU refused, or that failed, is a failure of the point.
Result<Outcome> read_outcome(const report::RunFile& run);

// Points of a sweep may run in other processes.
std::string encode(const Outcome& outcome);
Result<Outcome> decode(const std::string& text);

}  // namespace lockstep::sweep
