#include "report/nvprof-table.h"

#include <fmt/format.h>

#include "report/metric-text.h"

namespace lockstep::report {
namespace {

struct Row {
    std::string min, max, average;
};

Row texts(const KernelResult& kernel, const Shown& shown) {
    const Aggregate* value = shown.value(kernel);
    const metrics::Unit unit = shown.metric().unit;
    if (!value) return {"n/a", "n/a", "n/a"};
    return {value_text(value->min, unit), value_text(value->max, unit), value_text(value->average(), unit)};
}

}  // namespace

std::string nvprof_name(const std::string& kernel) {
    std::string name;
    for (const char c : kernel) {
        if ((c == '*' || c == '&') && !name.empty() && name.back() == ' ') name.pop_back();
        name += c;
    }
    return name;
}

std::string nvprof_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string nvprof_table(const RunFile& run, std::span<const Shown> shown) {
    constexpr const char* format = "{:>11}{:>42}{:>42}{:>12}{:>12}{:>12}\n";
    std::string text = fmt::format(fmt::runtime(format), "Invocations", "Metric Name", "Metric Description",
                                   "Min", "Max", "Avg");
    text += fmt::format("Device \"{} (0)\"\n", run.info.gpu_name);
    for (const KernelResult& kernel : run.kernels) {
        text += fmt::format("    Kernel: {}\n", nvprof_name(kernel.name));
        for (const Shown& one : shown) {
            const Row row = texts(kernel, one);
            text += fmt::format(fmt::runtime(format), kernel.launches, one.name(), one.metric().title,
                                row.min, row.max, row.average);
        }
    }
    return text;
}

std::string nvprof_csv(const RunFile& run, std::span<const Shown> shown) {
    std::string text =
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
        "Description\",\"Min\",\"Max\",\"Avg\"\n";
    for (const KernelResult& kernel : run.kernels)
        for (const Shown& one : shown) {
            const Row row = texts(kernel, one);
            text += fmt::format("{},{},{},{},{},{},{},{}\n", nvprof_quoted(run.info.gpu_name + " (0)"),
                                nvprof_quoted(nvprof_name(kernel.name)), kernel.launches,
                                nvprof_quoted(one.name()), nvprof_quoted(one.metric().title), row.min,
                                row.max, row.average);
        }
    return text;
}

}  // namespace lockstep::report
