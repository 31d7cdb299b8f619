#include "report/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/time-table.h"
#include "report/wrapped-text.h"

namespace lockstep::report {
namespace {

// A share in percent of which more is better, or worse.
struct Figure {
    const char* head;
    const char* explanation;
    const char* metric;
    double good, bad;                  // from where on it is remarkable
    const char* counted_by = nullptr;  // a metric that is 0 where there is nothing of the kind
    bool of_rest = false;              // what lacks to 100 is shown
};

constexpr std::array figures = {
    Figure{"Occ", "achieved occupancy: warps on an SM, of those that it can hold",
           "sm__warps_active.avg.pct_of_peak_sustained_active", 60, 25},
    Figure{"Ld", "bytes that loads of global memory use, of those that they move",
           "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 90, 50,
           "smsp__inst_executed_op_global_ld.sum"},
    Figure{"St", "the same of stores", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 90,
           50, "smsp__inst_executed_op_global_st.sum"},
    Figure{"Div", "branches that part their warp, of all", "branch_efficiency", 5, 20, nullptr, true},
    Figure{"SM", "what the SMs compute, of their peak", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
           60, 0},
    Figure{"DRAM", "bytes of device memory a second, of its peak",
           "dram__throughput.avg.pct_of_peak_sustained_elapsed", 60, 0},
};

Mood mood_of(const Figure& figure, double value) {
    if (figure.of_rest)
        return value >= figure.bad ? Mood::bad : value <= figure.good ? Mood::good : Mood::plain;
    return value >= figure.good ? Mood::good : value < figure.bad ? Mood::bad : Mood::plain;
}

Cell figure_cell(const RunFile& run, const KernelResult& kernel, const Figure& figure) {
    const auto index = run.metric(figure.metric);
    if (!index || kernel.metrics[*index].count == 0) return "-";
    if (const auto counted = figure.counted_by ? run.metric(figure.counted_by) : std::nullopt;
        counted && kernel.metrics[*counted].sum == 0)
        return "-";
    const double average = kernel.metrics[*index].average(), value = figure.of_rest ? 100 - average : average;
    Cell cell(fmt::format("{:.0f}%", value), value, metrics::Kind::predicted);
    cell.mood = mood_of(figure, value);
    return cell;
}

// "8192", "64x1024": dimensions of one at the end are left out.
std::string extent_text(const std::array<std::uint32_t, 3>& shape) {
    std::string text = fmt::format("{}", shape[0]);
    if (shape[1] > 1 || shape[2] > 1) text += fmt::format("x{}", shape[1]);
    if (shape[2] > 1) text += fmt::format("x{}", shape[2]);
    return text;
}

// The shape of a kernel's launches: the first one's, and whether others differ.
struct Shapes {
    std::string grid, block;
    void add(const Launch& launch) {
        join(grid, extent_text(launch.grid));
        join(block, extent_text(launch.block));
    }

  private:
    static void join(std::string& known, const std::string& other) {
        if (known.empty()) known = other;
        if (known != other) known = "various";
    }
};

std::string bar(double share, std::size_t width) {
    const auto eighths = static_cast<std::size_t>(share * static_cast<double>(width) * 8 + 0.5);
    static constexpr std::array<const char*, 8> parts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    std::string text;
    for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
    return text + parts[eighths % 8];
}

}  // namespace

std::string overview_metrics() {
    std::string list(time_metric);
    for (const Figure& figure : figures)
        for (const char* name : {figure.metric, figure.counted_by})
            if (name) list.append(",").append(name);
    return list;
}

Result<std::optional<Section>> overview(const RunFile& run, std::size_t width) {
    const std::vector<KernelTime> times = kernel_times(run);
    if (times.empty()) return std::optional<Section>();
    std::map<std::int64_t, Shapes> shapes;
    auto done =
        run.each_launch([&](const StoredLaunch& stored) { shapes[stored.kernel].add(stored.launch); });
    if (!done) return done.error();
    constexpr std::size_t bar_width = 8;
    Table table{{{"Share", Align::right},
                 {"", Align::left, "", "", bar_width, 1},
                 {"Time", Align::right, "", "", 0, 1},
                 {"Calls", Align::right, "", "", 0, 1},
                 {"Grid", Align::right},
                 {"Block", Align::right, "", "", 0, 1}}};
    for (const Figure& figure : figures) table.columns.push_back({figure.head, Align::right, "", "", 0, 1});
    table.title_indent = 0;
    table.widest_line = width;
    for (const KernelTime& one : times) {
        table.title(one.kernel->name + device_note(run.info, one.kernel->device) +
                    sample_note(one.kernel->sampled));
        const Shapes& shape = shapes[one.kernel->id];
        std::vector<Cell> cells = {
            Cell(fmt::format("{:.1f}%", one.percent), one.percent, metrics::Kind::predicted),
            bar(one.percent / 100, bar_width),
            Cell(duration_text(one.time.sum), one.time.sum, metrics::Kind::predicted),
            count_cell(one.time.count),
            shape.grid,
            shape.block};
        for (const Figure& figure : figures) cells.push_back(figure_cell(run, *one.kernel, figure));
        table.row(std::move(cells));
        // In a line, where it fits.
        if (const auto lines = bound_lines(*one.kernel); !lines.empty())
            for (std::string text = wrapped(lines.front(), width, 8, 8); !text.empty();) {
                const std::size_t end = text.find('\n');
                std::string line = text.substr(0, end);
                line.erase(0, line.find_first_not_of(' '));
                table.remark(line);
                text = end == std::string::npos ? "" : text.substr(end + 1);
            }
    }
    std::string legend = run.info.measured_by.empty()
                             ? "Times, Occ, SM and DRAM are predicted."
                             : fmt::format("All figures were measured by {}.", run.info.measured_by);
    for (const Figure& figure : figures) legend += fmt::format(" {}: {}.", figure.head, figure.explanation);
    Section section;
    section.parts.emplace_back(std::move(table));
    section.parts.emplace_back(Lines{
        {"", wrapped(legend, width, 0, 0),
         wrapped(run.info.measured_by.empty()
                     ? "More: --details (all default metrics), --source (by line), lockstep explain "
                       "(why, and what would help)."
                     : "More: --details (all default metrics), lockstep measure (beside the prediction).",
                 width, 0, 0)}});
    return std::optional(std::move(section));
}

}  // namespace lockstep::report
