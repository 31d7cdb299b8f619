#include "report/nvprof-time.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/metric-text.h"
#include "report/nvprof-table.h"
#include "report/run-info.h"
#include "report/run-schema.h"
#include "report/time-table.h"

namespace lockstep::report {
namespace {

struct NamedUnit {
    const char* name;
    TimeUnit unit;
    double nanoseconds;
};
// The largest first.
constexpr std::array<NamedUnit, 4> time_units = {
    {{"s", TimeUnit::s, 1e9}, {"ms", TimeUnit::ms, 1e6}, {"us", TimeUnit::us, 1e3}, {"ns", TimeUnit::ns, 1}}};

const NamedUnit& unit_for(double nanoseconds) {
    for (const NamedUnit& one : time_units)
        if (std::abs(nanoseconds) >= one.nanoseconds) return one;
    return time_units.back();
}

const NamedUnit& unit_of(TimeUnit unit, double longest) {
    for (const NamedUnit& one : time_units)
        if (one.unit == unit) return one;
    return unit_for(longest);
}

// "2.0480us", "704ns", "1.78038s"
std::string nvprof_duration(double nanoseconds, const NamedUnit& unit) {
    const double value = nanoseconds / unit.nanoseconds;
    if (unit.unit == TimeUnit::ns) return fmt::format("{:.0f}ns", value);
    const int digits = unit.unit == TimeUnit::s ? 6 : 5;
    // What is small for a unit that was asked for keeps its decimals.
    return std::abs(value) >= 1 || value == 0 ? fmt::format("{:#.{}g}{}", value, digits, unit.name)
                                              : fmt::format("{:.6f}{}", value, unit.name);
}

// Writes times as asked for; `longest` is that of the table.
class TimeText {
  public:
    TimeText(const NvprofTimes& times, double longest)
        : own_units_(times.unit == TimeUnit::automatic),
          // CSV has one unit a column, which stands in a line of its own.
          unit_(times.csv && own_units_ ? time_units[1] : unit_of(times.unit, longest)),
          csv_(times.csv) {}
    std::string operator()(double nanoseconds) const {
        if (csv_) return fmt::format("{:.6f}", nanoseconds / unit_.nanoseconds);
        return nvprof_duration(nanoseconds, own_units_ ? unit_for(nanoseconds) : unit_);
    }
    const char* unit() const { return unit_.name; }

  private:
    bool own_units_;
    const NamedUnit& unit_;
    bool csv_;
};

// "3.8147MB", "256B": nvprof counts these in 1024.
std::string nvprof_bytes(double value, const char* suffix) {
    constexpr std::array prefixes = {"", "K", "M", "G", "T"};
    std::size_t step = 0;
    for (; value >= 1024 && step + 1 < prefixes.size(); ++step) value /= 1024;
    if (step == 0 && value == std::floor(value)) return fmt::format("{:.0f}{}", value, suffix);
    return fmt::format("{:#.5g}{}{}", value, prefixes[step], suffix);
}

double bytes_per_second(const Activity& one) {
    return one.nanoseconds() > 0 ? static_cast<double>(one.bytes) / one.nanoseconds() * 1e9 : 0;
}

std::string nvprof_shape(const std::array<std::uint32_t, 3>& extents) {
    return fmt::format("({} {} {})", extents[0], extents[1], extents[2]);
}

// Its column is narrow: what does not fit goes, but not the number.
std::string short_device(const RunFile& run, int device) {
    constexpr std::size_t width = 15;
    const std::string number = fmt::format(" ({})", device), whole = device_text(run.info, device);
    if (whole.size() <= width || !run.info.several_devices()) return whole.substr(0, width);
    return whole.substr(0, width - number.size()) + number;
}

// Kernels alone where the program ran on the wall clock: their times are predicted in any case.
Result<std::vector<TimeTotal>> gpu_totals(const RunFile& run) {
    auto totals = run.activity_totals();
    if (!totals || !totals->empty()) return totals;
    for (const KernelTime& one : kernel_times(run))
        totals->push_back({one.kernel->name, one.time, one.time.count});
    return totals;
}

// Of a call to which the GPU model gives no time: none is not 0.
std::string no_time(bool csv) { return csv ? "" : "-"; }

std::string summary_rows(const char* type, const std::vector<TimeTotal>& totals, const NvprofTimes& times) {
    double all = 0, longest = 0;
    for (const TimeTotal& one : totals) {
        all += one.time.sum;
        longest = std::max(longest, one.time.sum);
    }
    const TimeText text(times, longest);
    std::string rows;
    for (const TimeTotal& one : totals) {
        const double percent = all > 0 ? 100 * one.time.sum / all : 0;
        const Aggregate& time = one.time;
        const bool known = one.time.sum > 0;
        const auto cell = [&](const std::string& shown) { return known ? shown : no_time(times.csv); };
        if (times.csv)
            rows +=
                fmt::format("\"{}\",{},{},{},{},{},{},{}\n", type, cell(fmt::format("{:.6f}", percent)),
                            cell(text(time.sum)), time.count, cell(text(time.average())),
                            cell(text(time.min)), cell(text(time.max)), nvprof_quoted(nvprof_name(one.name)));
        else
            rows += fmt::format("{:>16}  {:>7}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {}\n",
                                rows.empty() ? fmt::format("{}:", type) : "",
                                cell(fmt::format("{:.2f}%", percent)), cell(text(time.sum)), time.count,
                                cell(text(time.average())), cell(text(time.min)), cell(text(time.max)),
                                nvprof_name(one.name));
    }
    return rows;
}

// The columns of a trace behind the two of time, before the name. Of a call there are none of the GPU's.
struct TraceRow {
    double begin = 0, end = 0;
    const Activity* activity = nullptr;
    const ApiCall* call = nullptr;
};

std::string kernel_text(const Activity& one) {
    std::string name = nvprof_name(one.name);
    if (one.is_kernel() && one.trace.call != 0) name += fmt::format(" [{}]", one.trace.call);
    return name;
}

std::string gpu_columns(const RunFile& run, const Activity* one) {
    constexpr const char* format =
        "  {:>19}  {:>14}  {:>8}  {:>8}  {:>8}  {:>8}  {:>10}  {:>10}  {:>10}  {:>15}  {:>8}  {:>8}";
    const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
    if (!one)
        return fmt::format(fmt::runtime(format), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-");
    const timing::OperationTrace& trace = one->trace;
    const bool kernel = one->is_kernel();
    return fmt::format(fmt::runtime(format), kernel ? nvprof_shape(trace.grid) : "-",
                       kernel ? nvprof_shape(trace.block) : "-",
                       kernel ? std::to_string(trace.registers) : "-",
                       kernel ? nvprof_bytes(trace.static_shared, "B") : "-",
                       kernel ? nvprof_bytes(trace.dynamic_shared, "B") : "-",
                       kernel ? "-" : nvprof_bytes(static_cast<double>(one->bytes), "B"),
                       kernel ? "-" : nvprof_bytes(bytes_per_second(*one), "B/s"), or_dash(one->source),
                       or_dash(one->target), short_device(run, one->device), 1, tool_stream(one->stream));
}

std::string gpu_columns_csv(const RunFile& run, const Activity* one) {
    if (!one) return std::string(16, ',');
    const timing::OperationTrace& trace = one->trace;
    const auto quoted = [](const std::string& text) { return text.empty() ? "" : nvprof_quoted(text); };
    std::string text;
    if (one->is_kernel())
        text = fmt::format(",{},{},{},{},{},{},{},{},{},,", trace.grid[0], trace.grid[1], trace.grid[2],
                           trace.block[0], trace.block[1], trace.block[2], trace.registers,
                           trace.static_shared, trace.dynamic_shared);
    else
        text = fmt::format(",,,,,,,,,,{:.6f},{:.6f}", static_cast<double>(one->bytes) / 1024,
                           bytes_per_second(*one) / (1024.0 * 1024 * 1024));
    return text + fmt::format(",{},{},{},\"1\",\"{}\"", quoted(one->source), quoted(one->target),
                              nvprof_quoted(device_text(run.info, one->device)), tool_stream(one->stream));
}

std::string trace_head(const NvprofTimes& times, const TimeText& text) {
    if (!times.csv)
        return times.gpu
                   ? fmt::format(
                         "{:>8}  {:>8}  {:>19}  {:>14}  {:>8}  {:>8}  {:>8}  {:>8}  {:>10}  {:>10}  {:>10}  "
                         "{:>15}  {:>8}  {:>8}  {}\n",
                         "Start", "Duration", "Grid Size", "Block Size", "Regs*", "SSMem*", "DSMem*", "Size",
                         "Throughput", "SrcMemType", "DstMemType", "Device", "Context", "Stream", "Name")
                   : fmt::format("{:>8}  {:>8}  {}\n", "Start", "Duration", "Name");
    return times.gpu
               ? fmt::format(
                     "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block "
                     "Y\",\"Block Z\",\"Registers Per Thread\",\"Static SMem\",\"Dynamic "
                     "SMem\",\"Size\",\"Throughput\",\"SrcMemType\",\"DstMemType\",\"Device\","
                     "\"Context\",\"Stream\",\"Name\",\"Correlation_ID\"\n"
                     "{0},{0},,,,,,,,B,B,KB,GB/s,,,,,,,\n",
                     text.unit())
               : fmt::format("\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n{0},{0},,\n", text.unit());
}

constexpr const char* trace_foot =
    "\nRegs: registers of a thread, as lockstep estimates them\n"
    "SSMem, DSMem: static and dynamic shared memory of a block\n"
    "SrcMemType, DstMemType: where a copy or a memset reads and writes\n";

}  // namespace

std::optional<TimeUnit> find_time_unit(std::string_view name) {
    if (name == "auto") return TimeUnit::automatic;
    if (name == "col") return TimeUnit::column;
    for (const NamedUnit& one : time_units)
        if (name == one.name) return one.unit;
    return {};
}

Result<std::string> nvprof_summary(const RunFile& run, const NvprofTimes& times) {
    auto activities = gpu_totals(run);
    if (!activities) return activities.error();
    auto calls = run.call_totals();
    if (!calls) return calls.error();
    const std::string gpu = times.gpu ? summary_rows("GPU activities", *activities, times) : "";
    const std::string api = times.api ? summary_rows("API calls", *calls, times) : "";
    std::string text;
    if (times.csv) {
        const char* unit = TimeText(times, 0).unit();
        text = fmt::format(
            "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,{0},,{0},{0},{0},"
            "\n",
            unit);
    } else if (!gpu.empty() || !api.empty()) {
        text = fmt::format("{:>16}  {:>7}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {}\n", "Type", "Time(%)",
                           "Time", "Calls", "Avg", "Min", "Max", "Name");
    }
    text += gpu + api;
    if (times.gpu && gpu.empty()) text += "No kernels were profiled.\n";
    if (times.api && api.empty()) text += "No API activities were profiled.\n";
    return text;
}

Result<std::string> nvprof_trace(const RunFile& run, const NvprofTimes& times) {
    auto activities = run.activities();
    if (!activities) return activities.error();
    auto calls = run.calls();
    if (!calls) return calls.error();
    std::vector<TraceRow> rows;
    if (times.gpu)
        for (const Activity& one : *activities) rows.push_back({one.begin, one.end, &one, nullptr});
    if (times.api)
        for (const ApiCall& one : *calls) rows.push_back({one.begin, one.end, nullptr, &one});
    std::stable_sort(rows.begin(), rows.end(),
                     [](const TraceRow& a, const TraceRow& b) { return a.begin < b.begin; });
    double longest = 0;
    for (const TraceRow& row : rows) longest = std::max(longest, row.end);
    const TimeText text(times, longest);
    std::string result = trace_head(times, text);
    for (const TraceRow& row : rows) {
        const bool known = !row.call || row.end > row.begin;
        const std::string begin = text(row.begin),
                          duration = known ? text(row.end - row.begin) : no_time(times.csv);
        const std::uint64_t number = row.call ? row.call->number : row.activity->trace.call;
        if (times.csv)
            result += fmt::format("{},{}{},{},{}\n", begin, duration,
                                  times.gpu ? gpu_columns_csv(run, row.activity) : "",
                                  nvprof_quoted(row.call ? row.call->function : kernel_text(*row.activity)),
                                  number ? std::to_string(number) : "");
        else
            result += fmt::format("{:>8}  {:>8}{}  {}\n", begin, duration,
                                  times.gpu ? gpu_columns(run, row.activity) : "",
                                  row.call ? row.call->function : kernel_text(*row.activity));
    }
    if (rows.empty())
        return result + (times.gpu ? "No kernels were profiled.\n" : "No API activities were profiled.\n");
    return times.gpu && !times.csv ? result + trace_foot : result;
}

Result<std::string> nvprof_value_trace(const RunFile& run, std::span<const Shown> shown, bool csv) {
    const auto width = [](const Shown& one) { return std::max<std::size_t>(one.name().size(), 14) + 2; };
    std::string text =
        csv ? "\"Device\",\"Context\",\"Stream\",\"Kernel\""
            : fmt::format("{:>15}  {:>15}  {:>15}  {:>40}", "Device", "Context", "Stream", "Kernel");
    for (const Shown& one : shown)
        text += csv ? "," + nvprof_quoted(one.name()) : fmt::format("{:>{}}", one.name(), width(one));
    text += '\n';
    auto done = run.each_launch([&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        const std::string kernel = nvprof_name(launch.kernel);
        text += csv ? fmt::format("{},\"1\",\"{}\",{}", nvprof_quoted(device_text(run.info, launch.device)),
                                  tool_stream(launch.stream), nvprof_quoted(kernel))
                    : fmt::format("{:>15}  {:>15}  {:>15}  {:>40}", short_device(run, launch.device), 1,
                                  tool_stream(launch.stream), kernel);
        for (const Shown& one : shown) {
            const std::string value = value_text(one.value(launch), one.metric().unit);
            text += csv ? "," + value : fmt::format("{:>{}}", value, width(one));
        }
        text += '\n';
    });
    if (!done) return done.error();
    return text;
}

Result<std::vector<std::string>> nvprof_time_notes(const RunFile& run, const NvprofTimes& times, bool trace) {
    auto activities = run.activity_totals();
    if (!activities) return activities.error();
    auto calls = run.call_totals();
    if (!calls) return calls.error();
    std::vector<std::string> result, without_time;
    if (activities->empty() && calls->empty() && !run.kernels.empty())
        result.emplace_back("copies and API calls have times on the simulated clock only, which was off");
    std::uint64_t missing = 0;
    const auto count = [&](bool shown, const std::vector<TimeTotal>& totals) {
        for (const TimeTotal& one : totals)
            if (shown) missing += one.time.count - one.kept;
    };
    count(times.gpu, *activities);
    count(times.api, *calls);
    if (trace && missing != 0)
        result.push_back(fmt::format("{} more {} no row: there is one for the first {} of each name", missing,
                                     missing == 1 ? "has" : "have", most_launch_rows));
    for (const TimeTotal& one : *calls)
        if (one.time.sum == 0) without_time.push_back(one.name);
    if (times.api && !without_time.empty())
        result.push_back(fmt::format("calls that lockstep gives no time: {}", fmt::join(without_time, ", ")));
    return result;
}

}  // namespace lockstep::report
