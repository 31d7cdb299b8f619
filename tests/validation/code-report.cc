#include "code-report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "percent.h"

namespace lockstep::validation {
namespace {

std::string number(std::optional<double> value) {
    if (!value) return "–";
    if (*value == std::floor(*value) && std::fabs(*value) < 1e15) return fmt::format("{:.0f}", *value);
    return fmt::format("{:.5g}", *value);
}

using Kernels = std::span<const KernelCode>;

// A table's columns: a metric, or the sum of some.
struct Column {
    const char* title;
    std::vector<std::size_t> metrics;
    double unit = 1;

    std::optional<double> value(const CodeCounts& counts) const {
        std::optional<double> sum;
        for (const std::size_t metric : metrics)
            if (counts[metric]) sum = sum.value_or(0) + *counts[metric] / unit;
        return sum;
    }
};
const std::vector<Column>& columns() {
    static const std::vector<Column> list = {
        {"instructions a warp", {0}}, {"global loads", {4}},   {"global stores", {5}}, {"shared loads", {6}},
        {"shared stores", {7}},       {"local", {8, 9}},       {"sectors", {10, 11}},  {"branches", {1}},
        {"registers", {2}},           {"time (µs)", {3}, 1e3},
    };
    return list;
}

std::string time_text(std::optional<double> value) { return value ? fmt::format("{:.2f}", *value) : "–"; }

// "GPU / nvcc's / ours", or one number where all are the same. The recorded numbers have six digits.
std::string cell(const KernelCode& kernel, const Column& column, bool with_gpu) {
    const bool is_time = column.metrics[0] == KernelCode::time;
    const auto text = is_time ? time_text : number;
    const std::string nvcc = text(column.value(kernel.nvcc)), ours = text(column.value(kernel.ours));
    if (!with_gpu) return nvcc == ours ? nvcc : fmt::format("{} / {}", nvcc, ours);
    const auto recorded = column.value(kernel.gpu), counted = column.value(kernel.nvcc);
    const bool same = recorded && counted &&
                      std::fabs(*recorded - *counted) <= std::max(6e-6 * std::fabs(*recorded), 0.0051);
    if (!is_time && nvcc == ours && (same || !recorded)) return nvcc;
    return fmt::format("{} / {} / {}", text(recorded), nvcc, ours);
}

std::string kernel_table(Kernels kernels, bool with_gpu) {
    std::string text = "| program | kernel | ours to nvcc's ";
    for (const Column& column : columns()) text += fmt::format("| {} ", column.title);
    text += "|\n|---|---|--:";
    for (std::size_t i = 0; i < columns().size(); ++i) text += "|--:";
    text += "|\n";
    for (const KernelCode& kernel : kernels) {
        const double difference = kernel.difference(KernelCode::instructions);
        const char* const bold = std::fabs(difference) > 0.10 ? "**" : "";
        text += fmt::format("| {} | `{}` | {}{}{} ", kernel.program, short_name(kernel.kernel), bold,
                            signed_percent(difference), bold);
        for (const Column& column : columns()) text += fmt::format("| {} ", cell(kernel, column, with_gpu));
        text += "|\n";
    }
    return text;
}

std::vector<KernelCode> different(Kernels kernels) {
    std::vector<KernelCode> list;
    for (const KernelCode& kernel : kernels)
        if (std::fabs(kernel.difference(KernelCode::instructions)) > 0.10 || !kernel.memory_is_equal())
            list.push_back(kernel);
    return list;
}

std::string summary_line(const std::string& title, Kernels kernels) {
    const CodeSummary summary = summarize(kernels);
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", title, summary.kernels,
                       percent(summary.near), percent(summary.median), percent(summary.equal_memory),
                       percent(summary.mean_time), percent(summary.most_time));
}

constexpr const char* summary_head =
    "| kernels | how many | instructions a warp within 10 % of nvcc's | median difference | memory counts "
    "equal "
    "| predicted time: mean difference | largest |\n|---|--:|--:|--:|--:|--:|--:|\n";

std::string error_line(const char* code, std::span<const TimeError> errors) {
    const TimeSummary summary = summarize(errors);
    return fmt::format(
        "| {} | {} | {} | {} | {} | `{}` {}: {} |\n", code, summary.launches, percent(summary.mean),
        summary.within_10, summary.within_20, short_name(summary.worst.pair.recorded->kernel),
        to_string(summary.worst.pair.recorded->block), signed_percent(summary.worst.relative()));
}

std::string order_table(std::span<const TimeError> nvcc, std::span<const TimeError> ours,
                        std::span<const PublishedTable> nvcc_published,
                        std::span<const PublishedTable> our_published) {
    std::string text =
        "| launches of | GPU | how many | from nvcc's code | from lockstep's |\n|---|---|--:|--:|--:|\n";
    for (const char* program : ladders)
        text +=
            fmt::format("| {} | h200 | {} | {:.2f} | {:.2f} |\n", program, of_program(ours, program).size(),
                        order(of_program(nvcc, program)), order(of_program(ours, program)));
    for (std::size_t i = 0; i < our_published.size(); ++i)
        text += fmt::format("| {} | {}, \"{}\" | {} | {:.2f} | {:.2f} |\n", our_published[i].program,
                            our_published[i].gpu, our_published[i].source, our_published[i].lines.size(),
                            nvcc_published[i].order(), our_published[i].order());
    return text;
}

std::string goal_table(const CodeSummary& code, std::span<const TimeError> errors,
                       std::span<const PublishedTable> nvcc_published,
                       std::span<const PublishedTable> our_published) {
    std::string text = "| wanted | is | |\n|---|--:|---|\n";
    const auto line = [&](const std::string& what, const std::string& is, bool met) {
        text += fmt::format("| {} | {} | {} |\n", what, is, met ? "met" : "**missed**");
    };
    line(fmt::format("instructions a warp within 10 % of nvcc's in at least {:.0f} % of kernels",
                     100 * wanted::near),
         percent(code.near), code.near >= wanted::near);
    line(fmt::format("at most {:.0f} % at the median", 100 * wanted::median), percent(code.median),
         code.median <= wanted::median);
    line(fmt::format("memory counts equal in at least {:.0f} % of kernels", 100 * wanted::equal_memory),
         percent(code.equal_memory), code.equal_memory >= wanted::equal_memory);
    const TimeSummary time = summarize(errors);
    line(fmt::format("mean error of time at most {:.0f} %", 100 * wanted::mean_error), percent(time.mean),
         time.mean <= wanted::mean_error);
    const double most = std::fabs(time.worst.relative());
    line(fmt::format("none beyond {:.0f} %", 100 * wanted::most_error), percent(most),
         most <= wanted::most_error);
    for (const char* program : ladders) {
        const double tau = order(of_program(errors, program));
        line(fmt::format("Kendall's tau at least {} over {}", wanted::order, program),
             fmt::format("{:.2f}", tau), tau >= wanted::order);
    }
    // Published times are less exact, and the models' figures, too: as near as from nvcc's code.
    for (std::size_t i = 0; i < our_published.size(); ++i)
        line(fmt::format("{} on {} (\"{}\") in as good an order as from nvcc's code",
                         our_published[i].program, our_published[i].gpu, our_published[i].source),
             fmt::format("{:.2f}, {:.2f}", our_published[i].order(), nvcc_published[i].order()),
             our_published[i].order() >= nvcc_published[i].order());
    return text;
}

// "rodinia" of "rodinia/bfs".
std::string collection_of(const KernelCode& kernel) {
    return kernel.program.substr(0, kernel.program.find('/'));
}

std::string public_report(Kernels kernels) {
    if (kernels.empty()) return "No numbers were recorded.\n";
    std::string text = summary_head;
    std::vector<std::string> collections;
    for (const KernelCode& kernel : kernels)
        if (std::ranges::find(collections, collection_of(kernel)) == collections.end())
            collections.push_back(collection_of(kernel));
    for (const std::string& collection : collections) {
        std::vector<KernelCode> of_it;
        for (const KernelCode& kernel : kernels)
            if (collection_of(kernel) == collection) of_it.push_back(kernel);
        text += summary_line(collection, of_it);
    }
    text += summary_line("**all**", kernels);
    return text + "\n" + kernel_table(kernels, false);
}

}  // namespace

std::string validated_table(const BothCodes& programs) {
    return fmt::format("[validated]\nnvcc = \"{}\"\nlockstep = \"{}\"\n",
                       validated_text(time_errors(programs.nvcc.pairs)),
                       validated_text(time_errors(programs.ours.pairs)));
}

CodeReport code_report(const BothCodes& programs, const BothCodes& probes, Kernels public_programs,
                       std::span<const PublishedTable> nvcc_published,
                       std::span<const PublishedTable> our_published) {
    const auto of_programs = compare_code(programs.nvcc, programs.ours);
    const auto of_probes = compare_code(probes.nvcc, probes.ours);
    std::vector<KernelCode> all = of_programs;
    std::ranges::copy(of_probes, std::back_inserter(all));
    const auto nvcc_errors = time_errors(programs.nvcc.pairs), our_errors = time_errors(programs.ours.pairs);

    std::string text = R"(## Our compiler's code beside nvcc's

By default lockstep compiles itself: clang parses, and passes of our own shape the code like nvcc's (`src/device`). What comes of that is held
against nvcc's PTX here, kernel by kernel, both run by lockstep, and against the GPU, which ran nvcc's. Memory counts are the
instructions that load and store (global, shared, local memory) and the sectors of global memory; they are equal if all of them are.

### Kernels

)";
    text += summary_head + summary_line("programs", of_programs) + summary_line("probes", of_probes) +
            summary_line("**both**", all);
    if (!public_programs.empty()) text += summary_line("public programs", public_programs);
    text +=
        "\n### Time on the GPU\n\n| code | launches | mean error | within 10 % | within 20 % | worst |\n"
        "|---|--:|--:|--:|--:|---|\n" +
        error_line("programs, from nvcc's", nvcc_errors) +
        error_line("programs, from lockstep's", our_errors) +
        error_line("probes, from nvcc's", time_errors(probes.nvcc.pairs)) +
        error_line("probes, from lockstep's", time_errors(probes.ours.pairs));
    text += fmt::format(
        "\n`gpus/h200.toml` says so, too, and so does every profile, by the compiler of its code:\n\n");
    for (std::size_t at = 0; const char c : validated_table(programs)) {
        if (at == 0) text += "    ";
        text += c;
        at = c == '\n' ? 0 : 1;
    }
    text += fmt::format(
        "\n### Order\n\nKendall's tau of predicted and measured times: 1 is the same order, -1 the "
        "opposite one.\n\n{}",
        order_table(nvcc_errors, our_errors, nvcc_published, our_published));
    text += fmt::format(
        "\n### What was wanted of our compiler\n\nOver the programs and the probes; time over the "
        "launches of the programs.\n\n{}",
        goal_table(summarize(all), our_errors, nvcc_published, our_published));
    std::string tables = fmt::format(
        "## Kernels from both compilers' code\n\n*GPU / nvcc's / ours*, or one number where all agree; sums "
        "over a "
        "kernel's launches, but means of instructions a warp and registers. *Ours to nvcc's* is of "
        "instructions a warp; **bold** beyond 10 %.\n\n### Of the programs\n\n{}",
        kernel_table(of_programs, true));
    const auto beyond = different(of_probes);
    tables += fmt::format(
        "\n### Of the probes, where they differ\n\n{} of {} kernels: instructions a warp beyond 10 % of "
        "nvcc's, or other "
        "memory counts.\n\n{}",
        beyond.size(), of_probes.size(), kernel_table(beyond, true));
    tables += fmt::format(
        "\n### Of public programs\n\nKernels of programs that are not part of lockstep, *nvcc's / ours*; "
        "[how it was recorded](../tests/validation/README.md#public-programs), and what the compiler made of "
        "programs before it "
        "was changed for them.\n\n{}\n",
        public_report(public_programs));
    return {text + "\n", tables};
}

}  // namespace lockstep::validation
