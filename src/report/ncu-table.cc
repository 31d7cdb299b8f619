#include "report/ncu-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/demangle.h"
#include "report/nvprof-table.h"

namespace lockstep::report {
namespace {

using metrics::Metric;
using metrics::Unit;

// What a metric counts, by ncu's way of naming metrics.
std::string ncu_counted_unit(const std::string& name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> units = {{
        {"launch__registers_per_thread", "register/thread"},
        {"launch__occupancy_limit", "block"},
        {"launch__thread_count", "thread"},
        {"_per_inst_executed", ""},
        {"average_inst_executed", "inst/warp"},
        {"inst_executed.avg.per_cycle", "inst/cycle"},
        {"_thread_inst_executed", "thread"},
        {"inst_executed", "inst"},
        {"average_t_sectors_per_request", "sector/req"},
        {"_t_sectors", "sector"},
        {"_t_requests", "request"},
        {"warps_launched", "warp"},
    }};
    for (const auto& [part, unit] : units)
        if (name.find(part) != std::string::npos) return std::string(unit);
    return "";
}

NcuScale ncu_scaled(double value, bool base, std::span<const char* const> units) {
    std::size_t step = 0;
    double divisor = 1;
    for (; !base && std::abs(value) / divisor >= 1000 && step + 1 < units.size(); ++step) divisor *= 1000;
    return {units[step], divisor};
}

struct NcuText {
    std::string unit, value;
};

NcuText ncu_value(const NcuLine& line, std::optional<double> value, bool base) {
    const NcuScale scale = ncu_scale(line, value.value_or(0), base);
    return {scale.unit, value ? ncu_number(*value / scale.divisor) : "n/a"};
}

std::string ncu_table_text(const RunFile& run, const NcuTable& table, const Launch& launch, bool base) {
    std::vector<std::vector<std::string>> rows;
    for (const NcuLine& line : table.lines) {
        NcuText text = ncu_value(line, ncu_launch_value(run, line, launch), base);
        rows.push_back({line.label, std::move(text.unit), std::move(text.value)});
    }
    const std::string title = table.title.empty() ? "" : fmt::format("    Section: {}\n", table.title);
    return title + ncu_grid({{"Metric Name"}, {"Metric Unit"}, {"Metric Value"}}, rows) + "\n";
}

// The columns that every row of CSV begins with.
std::string ncu_csv_head(const RunFile& run, const NcuView& view, const StoredLaunch& stored,
                         std::size_t id) {
    std::string row;
    for (const std::string& cell : {std::to_string(id), std::to_string(stored.process), view.program,
                                    std::string("127.0.0.1"), view.kernel_name(stored.launch.kernel),
                                    std::string("1"), std::to_string(tool_stream(stored.launch.stream)),
                                    ncu_shape(stored.launch.block), ncu_shape(stored.launch.grid),
                                    std::to_string(stored.launch.device), ncu_capability(run, stored.launch)})
        row += (row.empty() ? "" : ",") + nvprof_quoted(cell);
    return row;
}

constexpr const char* ncu_csv_columns =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","
    "\"Block Size\",\"Grid Size\",\"Device\",\"CC\"";

const Metric* ncu_metric(std::string_view name) {
    for (const Metric& metric : metrics::metrics())
        if (std::find(metric.names.begin(), metric.names.end(), name) != metric.names.end()) return &metric;
    return nullptr;
}

}  // namespace

std::string NcuView::kernel_name(const std::string& kernel) const {
    return function_names ? base::function_name(kernel) : kernel;
}

std::string ncu_number(double value, bool decimals) {
    const bool whole = !decimals && value == std::floor(value) && std::abs(value) < 9e15;
    std::string text = fmt::format("{:.{}f}", value, whole ? 0 : 2);
    const std::size_t first = text[0] == '-' ? 1 : 0;
    const std::size_t dot = std::min(text.find('.'), text.size());
    for (std::size_t at = dot; at > first + 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

NcuScale ncu_scale(const NcuLine& line, double value, bool base) {
    constexpr std::array bytes = {"byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte"};
    constexpr std::array rates = {"byte/s", "Kbyte/s", "Mbyte/s", "Gbyte/s", "Tbyte/s"};
    constexpr std::array times = {"ns", "us", "ms", "s"};
    constexpr std::array frequencies = {"hz", "Khz", "Mhz", "Ghz"};
    if (!line.known) return {line.unit};
    NcuScale scale;
    switch (line.known->unit) {
        case Unit::percent: scale.unit = "%"; break;
        case Unit::cycles: scale.unit = "cycle"; break;
        case Unit::bytes: scale = ncu_scaled(value, base, bytes); break;
        case Unit::bytes_per_second: scale = ncu_scaled(value, base, rates); break;
        case Unit::nanoseconds: scale = ncu_scaled(value, base, times); break;
        case Unit::hertz: scale = ncu_scaled(value, base, frequencies); break;
        case Unit::count:
        case Unit::ratio: scale.unit = ncu_counted_unit(line.metric); break;
    }
    if (line.metric.find("per_block") != std::string::npos) scale.unit += "/block";
    if (!line.unit.empty()) scale.unit = line.unit;
    return scale;
}

std::string ncu_shape(const std::array<std::uint32_t, 3>& extents) {
    return fmt::format("({}, {}, {})", extents[0], extents[1], extents[2]);
}

std::optional<double> ncu_launch_value(const RunFile& run, const NcuLine& line, const Launch& launch) {
    if (!line.known) return {};
    const auto index = run.metric(line.known->names.front());
    return index ? launch.values[*index] : std::nullopt;
}

std::string ncu_grid(const std::vector<NcuColumn>& columns,
                     const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> width;
    std::string rule = "   ", text;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        std::size_t wide = std::max(columns[c].width, columns[c].head.size());
        for (const auto& row : rows) wide = std::max(wide, row[c].size());
        width.push_back(wide);
        rule += fmt::format(" {:->{}}", "", wide);
    }
    rule += '\n';
    const auto line = [&](auto cell) {
        std::string result = "   ";
        for (std::size_t c = 0; c < columns.size(); ++c)
            result += c == 0 ? fmt::format(" {:<{}}", cell(c), width[c])
                             : fmt::format(" {:>{}}", cell(c), width[c]);
        return result + '\n';
    };
    text = rule + line([&](std::size_t c) { return columns[c].head; }) + rule;
    for (const auto& row : rows) text += line([&](std::size_t c) { return row[c]; });
    return text + rule;
}

Result<void> each_shown(const RunFile& run, const NcuView& view,
                        const std::function<void(const StoredLaunch&)>& use) {
    std::uint64_t number = 0;
    return run.each_launch([&](const StoredLaunch& stored) {
        const std::uint64_t at = number++;
        if (at >= view.skip && (!view.count || at - view.skip < *view.count)) use(stored);
    });
}

NcuTable ncu_table(const NcuSection& section) {
    NcuTable table{section.title, {}};
    for (const NcuRow& row : section.rows)
        table.lines.push_back({row.label, row.metric, ncu_metric(row.metric), row.unit});
    return table;
}

NcuTable ncu_table(std::span<const metrics::Selected> metrics) {
    NcuTable table{"Command line profiler metrics", {}};
    for (const metrics::Selected& one : metrics) table.lines.push_back({one.name, one.name, one.metric});
    return table;
}

NcuTable ncu_raw(std::span<const NcuTable> tables) {
    std::map<std::string, NcuLine> lines;
    for (const NcuTable& table : tables)
        for (const NcuLine& line : table.lines)
            lines.try_emplace(line.metric, NcuLine{line.metric, line.metric, line.known, line.unit});
    NcuTable result;
    for (auto& [name, line] : lines) result.lines.push_back(std::move(line));
    return result;
}

std::string ncu_capability(const RunFile& run, const Launch& launch) {
    return run.info.devices.at(static_cast<std::size_t>(launch.device)).compute_capability;
}

Result<std::string> ncu_text(const RunFile& run, const NcuView& view) {
    std::string text;
    std::optional<std::int64_t> process;
    auto done = each_shown(run, view, [&](const StoredLaunch& stored) {
        if (process != stored.process)
            text += fmt::format("[{}] {}@127.0.0.1\n", stored.process, view.program);
        process = stored.process;
        text += fmt::format("  {} {}x{}, Context 1, Stream {}, Device {}, CC {}\n",
                            view.kernel_name(stored.launch.kernel), ncu_shape(stored.launch.grid),
                            ncu_shape(stored.launch.block), tool_stream(stored.launch.stream),
                            stored.launch.device, ncu_capability(run, stored.launch));
        for (const NcuTable& table : view.tables)
            text += ncu_table_text(run, table, stored.launch, view.base_units);
    });
    if (!done) return done.error();
    return text;
}

Result<std::string> ncu_csv(const RunFile& run, const NcuView& view) {
    std::string text = fmt::format("{},\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
                                   ncu_csv_columns);
    std::size_t id = 0;
    auto done = each_shown(run, view, [&](const StoredLaunch& stored) {
        const std::string head = ncu_csv_head(run, view, stored, id++);
        for (const NcuTable& table : view.tables)
            for (const NcuLine& line : table.lines) {
                const NcuText cell =
                    ncu_value(line, ncu_launch_value(run, line, stored.launch), view.base_units);
                text += fmt::format("{},{},{},{},{}\n", head, nvprof_quoted(table.title),
                                    nvprof_quoted(line.label), nvprof_quoted(cell.unit),
                                    nvprof_quoted(cell.value));
            }
    });
    if (!done) return done.error();
    return text;
}

Result<std::string> ncu_raw_csv(const RunFile& run, const NcuView& view) {
    std::string text = ncu_csv_columns, units = "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"";
    const std::vector<NcuLine>& lines = view.tables.front().lines;
    for (const NcuLine& line : lines) {
        text += "," + nvprof_quoted(line.label);
        // One unit for the whole column.
        units += "," + nvprof_quoted(ncu_value(line, 0, true).unit);
    }
    text += "\n" + units + "\n";
    std::size_t id = 0;
    auto done = each_shown(run, view, [&](const StoredLaunch& stored) {
        text += ncu_csv_head(run, view, stored, id++);
        for (const NcuLine& line : lines)
            text +=
                "," + nvprof_quoted(ncu_value(line, ncu_launch_value(run, line, stored.launch), true).value);
        text += "\n";
    });
    if (!done) return done.error();
    return text;
}

}  // namespace lockstep::report
