#include "report/nvprof-time.h"

#include <fmt/format.h>

#include "report/metric-text.h"
#include "report/nvprof-table.h"
#include "report/time-table.h"

namespace lockstep::report {
namespace {

constexpr const char* registers = "launch__registers_per_thread";
constexpr const char* static_shared = "launch__shared_mem_per_block_static";

std::string shape(const std::array<std::uint32_t, 3>& extents) {
    return fmt::format("({} {} {})", extents[0], extents[1], extents[2]);
}

// Its CSV gives all times in one unit.
std::string milliseconds(double ns) { return fmt::format("{:.6f}", ns / 1e6); }

template <class Use>
Result<void> each_timed(const RunFile& run, Use use) {
    const auto time = run.metric(time_metric);
    const auto value = [&](const Launch& launch, const char* metric) -> double {
        const auto index = run.metric(metric);
        return index ? launch.values[*index].value_or(0) : 0;
    };
    return run.each_launch([&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        if (time && launch.values[*time])
            use(launch, *launch.values[*time], value(launch, registers), value(launch, static_shared));
    });
}

}  // namespace

std::string nvprof_summary(const RunFile& run) {
    constexpr const char* format = "{:>16}  {:>7}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {}\n";
    std::string text =
        fmt::format(fmt::runtime(format), "Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max", "Name");
    const char* type = "GPU activities:";
    for (const KernelTime& one : kernel_times(run)) {
        text += fmt::format(fmt::runtime(format), type, fmt::format("{:.2f}%", one.percent),
                            duration_text(one.time.sum), one.time.count, duration_text(one.time.average()),
                            duration_text(one.time.min), duration_text(one.time.max),
                            nvprof_name(one.kernel->name));
        type = "";
    }
    return text;
}

std::string nvprof_summary_csv(const RunFile& run) {
    std::string text =
        "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,ms,,ms,ms,ms,\n";
    for (const KernelTime& one : kernel_times(run))
        text += fmt::format("\"GPU activities\",{:.6f},{},{},{},{},{},{}\n", one.percent,
                            milliseconds(one.time.sum), one.time.count, milliseconds(one.time.average()),
                            milliseconds(one.time.min), milliseconds(one.time.max),
                            nvprof_quoted(nvprof_name(one.kernel->name)));
    return text;
}

Result<std::string> nvprof_trace(const RunFile& run) {
    constexpr const char* format = "{:>8}  {:>19}  {:>14}  {:>8}  {:>8}  {:>8}  {:>15}  {}\n";
    std::string text = fmt::format(fmt::runtime(format), "Duration", "Grid Size", "Block Size", "Regs*",
                                   "SSMem*", "DSMem*", "Device", "Name");
    auto done = each_timed(run, [&](const Launch& launch, double ns, double regs, double bytes) {
        text += fmt::format(fmt::runtime(format), duration_text(ns), shape(launch.grid), shape(launch.block),
                            exact_text(regs), value_text(bytes, metrics::Unit::bytes),
                            value_text(launch.dynamic_shared_bytes, metrics::Unit::bytes),
                            run.info.gpu_name + " (0)", nvprof_name(launch.kernel));
    });
    if (!done) return done.error();
    return text + "\n* of a thread; static and dynamic shared memory of a block\n";
}

Result<std::string> nvprof_trace_csv(const RunFile& run) {
    std::string text =
        "\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\","
        "\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Device\",\"Name\"\n"
        "ms,,,,,,,,B,B,,\n";
    auto done = each_timed(run, [&](const Launch& launch, double ns, double regs, double bytes) {
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", milliseconds(ns), launch.grid[0],
                        launch.grid[1], launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
                        exact_text(regs), exact_text(bytes), launch.dynamic_shared_bytes,
                        nvprof_quoted(run.info.gpu_name + " (0)"), nvprof_quoted(nvprof_name(launch.kernel)));
    });
    if (!done) return done.error();
    return text;
}

}  // namespace lockstep::report
