// The rows of a sweep in order: for each kernel all points, the best first, with what sets the others apart.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/model.h"
#include "metrics/metric.h"
#include "sweep/outcome.h"
#include "sweep/points.h"

namespace lockstep::sweep {

// All that a sweep has run. The last three lists go together; without models (of a real GPU that has none)
// nothing says why a row is slower.
struct Sweep {
    std::vector<Axis> axes;
    std::vector<Point> points;
    std::vector<gpu::GpuModel> models;
    std::vector<Outcome> outcomes;
};

struct Sorting {
    metrics::Selected metric;
    bool largest_first = false;

    // Rows are explained by what makes them slow: that needs time.
    bool by_time() const;
};

// "METRIC", "METRIC:asc" or "METRIC:desc".
Result<Sorting> parse_sorting(const std::string& text);
inline constexpr const char* default_sorting = "gpu__time_duration.sum";

struct Row {
    std::size_t point = 0;
    const KernelOutcome* kernel = nullptr;  // null: the point failed, or did not launch this kernel
    std::optional<double> key;              // of the sorting metric
    std::optional<double> ratio;            // key / that of the best
    bool best = false;
    std::string reason;   // why it is slower than the best; of the best, what bounds it
    std::string failure;  // why there is no outcome
};

struct KernelRows {
    std::string kernel;  // empty: no point has launched any
    std::vector<Row> rows;
};

// In the order in which the kernels were launched. Rows without a key, then those that failed, come last, in
// the order of the points.
std::vector<KernelRows> arrange(const Sweep& sweep, const Sorting& sorting);

}  // namespace lockstep::sweep
