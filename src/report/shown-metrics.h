// The metrics that a report shows, in a run file, and what a reader must know of them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "report/run-reader.h"

namespace lockstep::report {

// A metric that was asked for, and where the run file has it.
struct Shown {
    metrics::Selected selected;
    std::optional<std::size_t> index;  // into RunFile::metrics
    std::optional<std::size_t> share;  // of the metric that has this one as a share of the peak
    bool measured = false;             // on a real GPU

    const std::string& name() const { return selected.name; }
    const metrics::Metric& metric() const { return *selected.metric; }
    std::optional<double> value(const Launch& launch) const;
    // Null where no launch of the kernel has a value.
    const Aggregate* value(const KernelResult& kernel) const;
    // A throughput's share of the peak, on average.
    std::optional<double> share_of_peak(const KernelResult& kernel) const;
    bool is_predicted() const { return !measured && metric().kind == metrics::Kind::predicted; }
};

std::vector<Shown> find_metrics(const RunFile& run, std::span<const metrics::Selected> selected);

// What a reader must know beside the numbers, a line each: metrics without a value and why, launches that
// have no row, launches that failed, a run file that is not complete.
std::vector<std::string> notes(const RunFile& run, std::span<const Shown> shown, bool launches);

// Which launches were not profiled because nobody asked for them; empty where there are none.
// What was not executed whole (--sample), and what that means; empty: nothing.
std::string sampling_note(const RunFile& run);
std::string left_out_note(const RunFile& run);

// Which of these metrics are predicted, and how far to trust that: for tables that do not mark them. Empty
// where none is.
std::string prediction_note(const RunFile& run, std::span<const Shown> shown);

}  // namespace lockstep::report
