// Text in columns, and what the tables share.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "report/run-reader.h"

namespace lockstep::report {

enum class Align : std::uint8_t { left, right };

// Columns are as wide as their widest cell. A row of one cell is a heading across all columns.
class Table {
  public:
    explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    std::string text() const;
    std::size_t width() const;

  private:
    std::vector<std::size_t> widths() const;
    std::vector<Align> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// A metric that was asked for, and where the run file has it.
struct Shown {
    metrics::Selected selected;
    std::optional<std::size_t> index;  // into RunFile::metrics
    std::optional<std::size_t> share;  // of the metric that has this one as a share of the peak

    const std::string& name() const { return selected.name; }
    const metrics::Metric& metric() const { return *selected.metric; }
    std::optional<double> value(const Launch& launch) const;
    // Null where no launch of the kernel has a value.
    const Aggregate* value(const KernelResult& kernel) const;
    // A throughput's share of the peak, on average.
    std::optional<double> share_of_peak(const KernelResult& kernel) const;
    bool is_predicted() const { return metric().kind == metrics::Kind::predicted; }
};

std::vector<Shown> find_metrics(const RunFile& run, std::span<const metrics::Selected> selected);

// "(32768,1,1)"
std::string shape_text(const std::array<std::uint32_t, 3>& shape);

// Digits in full up to six of them, then with K, M, G, T: at most seven characters.
std::string short_count(std::uint64_t count);

// "1 launch", "2 launches"
std::string plural(std::uint64_t count, const std::string& noun, const std::string& plural);

// What a reader must know beside the numbers, a line each: metrics without a value and why, launches that
// have no row, launches that failed, a run file that is not complete.
std::vector<std::string> notes(const RunFile& run, std::span<const Shown> shown, bool launches);

// Which of these metrics are predicted, and how far to trust that: for tables that do not mark them. Empty
// where none is.
std::string prediction_note(const RunFile& run, std::span<const Shown> shown);

}  // namespace lockstep::report
