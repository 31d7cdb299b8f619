#include "report/nvprof-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "report/metric-text.h"
#include "report/run-info.h"

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

std::string event_text(double value) { return fmt::format("{:.0f}", value); }

// Where the type that begins at `begin` has its star or reference; npos: it has none.
std::size_t star_of_type(const std::string& text, std::size_t begin) {
    int depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text[i] == '<' || text[i] == '(') ++depth;
        if ((text[i] == '>' || text[i] == ')') && depth-- == 0) break;
        if (depth == 0 && text[i] == ',') break;
        if (depth == 0 && (text[i] == '*' || text[i] == '&')) return i;
    }
    return std::string::npos;
}

// "const float *" becomes "float const *".
std::string const_behind(std::string text) {
    constexpr std::string_view word = "const ";
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const bool begins = at == 0 || text[at - 1] == '(' || text[at - 1] == '<' || text[at - 1] == ' ';
        const std::size_t star = begins ? star_of_type(text, at) : std::string::npos;
        if (star == std::string::npos) {
            at += word.size();
            continue;
        }
        text.insert(star, text[star - 1] == ' ' ? "const " : " const ");
        text.erase(at, word.size());
        at = star;
    }
    return text;
}

// nvprof has a table for each device.
std::vector<const KernelResult*> by_device(const RunFile& run) {
    std::vector<const KernelResult*> kernels;
    for (const KernelResult& kernel : run.kernels) kernels.push_back(&kernel);
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const KernelResult* a, const KernelResult* b) { return a->device < b->device; });
    return kernels;
}

// Writes the lines above each kernel's rows; `rows` writes these.
void for_each_kernel(const RunFile& run, std::string& text,
                     const std::function<void(const KernelResult&)>& rows) {
    std::optional<int> device;
    for (const KernelResult* kernel : by_device(run)) {
        if (device != kernel->device)
            text += fmt::format("Device \"{}\"\n", device_text(run.info, kernel->device));
        device = kernel->device;
        text += fmt::format("    Kernel: {}\n", nvprof_name(kernel->name));
        rows(*kernel);
    }
}

}  // namespace

std::string nvprof_name(const std::string& kernel) {
    std::string name;
    for (const char c : const_behind(kernel)) {
        const bool after_const = name.ends_with("const ");
        if ((c == '*' || c == '&') && name.ends_with(' ') && !after_const) name.pop_back();
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
    // Columns grow with what stands in them.
    std::size_t name = 42, title = 42;
    for (const Shown& one : shown) {
        name = std::max(name, one.name().size() + 3);
        title = std::max(title, one.metric().title.size() + 3);
    }
    const std::string format = fmt::format("{{:>11}}{{:>{}}}{{:>{}}}{{:>12}}{{:>12}}{{:>12}}\n", name, title);
    std::string text = fmt::format(fmt::runtime(format), "Invocations", "Metric Name", "Metric Description",
                                   "Min", "Max", "Avg");
    for_each_kernel(run, text, [&](const KernelResult& kernel) {
        for (const Shown& one : shown) {
            const Row row = texts(kernel, one);
            text += fmt::format(fmt::runtime(format), kernel.launches, one.name(), one.metric().title,
                                row.min, row.max, row.average);
        }
    });
    return text;
}

std::string nvprof_csv(const RunFile& run, std::span<const Shown> shown) {
    std::string text =
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
        "Description\",\"Min\",\"Max\",\"Avg\"\n";
    for (const KernelResult& kernel : run.kernels)
        for (const Shown& one : shown) {
            const Row row = texts(kernel, one);
            text += fmt::format(
                "{},{},{},{},{},{},{},{}\n", nvprof_quoted(device_text(run.info, kernel.device)),
                nvprof_quoted(nvprof_name(kernel.name)), kernel.launches, nvprof_quoted(one.name()),
                nvprof_quoted(one.metric().title), row.min, row.max, row.average);
        }
    return text;
}

std::string nvprof_event_table(const RunFile& run, std::span<const Shown> shown) {
    constexpr const char* format = "{:>11}{:>42}{:>12}{:>12}{:>12}{:>12}\n";
    std::string text =
        fmt::format(fmt::runtime(format), "Invocations", "Event Name", "Min", "Max", "Avg", "Total");
    for_each_kernel(run, text, [&](const KernelResult& kernel) {
        for (const Shown& one : shown) {
            const Aggregate* value = one.value(kernel);
            if (value)
                text +=
                    fmt::format(fmt::runtime(format), kernel.launches, one.name(), event_text(value->min),
                                event_text(value->max), event_text(value->average()), event_text(value->sum));
            else
                text += fmt::format(fmt::runtime(format), kernel.launches, one.name(), "n/a", "n/a", "n/a",
                                    "n/a");
        }
    });
    return text;
}

std::string nvprof_event_csv(const RunFile& run, std::span<const Shown> shown) {
    std::string text =
        "\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\",\"Total\"\n";
    for (const KernelResult& kernel : run.kernels)
        for (const Shown& one : shown) {
            const Aggregate* value = one.value(kernel);
            text += fmt::format("{},{},{},{},", nvprof_quoted(device_text(run.info, kernel.device)),
                                nvprof_quoted(nvprof_name(kernel.name)), kernel.launches,
                                nvprof_quoted(one.name()));
            text += value ? fmt::format("{},{},{:.6f},{}\n", event_text(value->min), event_text(value->max),
                                        value->average(), event_text(value->sum))
                          : "n/a,n/a,n/a,n/a\n";
        }
    return text;
}

}  // namespace lockstep::report
