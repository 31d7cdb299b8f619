// lockstep compare: two runs, two kernels or two GPUs side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>

#include "cli/command.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/write-output.h"
#include "compile/output-file.h"
#include "report/compare-table.h"
#include "report/compare-vendors.h"
#include "report/run-info.h"
#include "report/text-printer.h"

namespace lockstep::cli {
namespace compare_command {

struct Options {
    std::vector<std::string> sides, metrics;
    std::string kernel_a, kernel_b, json, csv;
};

constexpr const char* footer =
    "A and B are run files that `lockstep profile -o FILE` wrote, or FILE:KERNEL for one kernel of them.\n"
    "Values are averages over a kernel's launches.\n"
    "Examples:\n"
    "  lockstep profile -o a.lockstep reduce.cu && lockstep profile --gpu gtx1650 -o b.lockstep reduce.cu\n"
    "  lockstep compare a.lockstep b.lockstep\n"
    "  lockstep profile --gpu mi300x -o c.lockstep reduce.hip && lockstep compare a.lockstep c.lockstep\n"
    "  lockstep compare a.lockstep:neighbored a.lockstep:interleaved --metrics memory";

struct Operand {
    std::filesystem::path file;
    std::optional<std::string> kernel;
};

// FILE, or FILE:KERNEL. A file's own name may hold colons, and so may a kernel's.
Operand parse_operand(const std::string& text) {
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored)) return {text, {}};
    for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1))
        if (std::filesystem::exists(text.substr(0, at), ignored))
            return {text.substr(0, at), text.substr(at + 1)};
    return {text, {}};
}

std::string label(const Operand& operand, const report::RunFile& run) {
    return fmt::format("{}{}: {} on {}", operand.file.string(), operand.kernel ? ":" + *operand.kernel : "",
                       run.info.command, report::gpu_text(run.info, run.kernels));
}

// What both vendors' GPUs have, or a metric of one that says the same of the other.
Result<std::vector<metrics::Selected>> of_both_vendors() {
    auto all = metrics::select_metrics("amd");
    if (!all) return all;
    std::erase_if(*all,
                  [](const metrics::Selected& one) { return one.metric->vendor != metrics::Vendor::both; });
    return all;
}

int compare(const Options& options) {
    auto selected = metrics::select_metrics(
        options.metrics.empty() ? "default" : fmt::format("{}", fmt::join(options.metrics, ",")));
    if (!selected) return fail(selected.error().to_string(), 2);
    Operand a = parse_operand(options.sides[0]), b = parse_operand(options.sides[1]);
    if (!options.kernel_a.empty()) a.kernel = options.kernel_a;
    if (!options.kernel_b.empty()) b.kernel = options.kernel_b;
    using compile::Output;
    const std::array outputs = {Output{"--json", options.json}, Output{"--csv", options.csv}};
    if (auto good = compile::check_outputs(outputs, std::array{a.file, b.file}); !good)
        return fail(good.error().to_string(), 2);
    auto run_a = report::RunFile::open(a.file);
    if (!run_a) return fail(run_a.error().to_string());
    auto run_b = report::RunFile::open(b.file);
    if (!run_b) return fail(run_b.error().to_string());
    const bool two_vendors = report::are_of_two_vendors(*run_a, *run_b);
    if (two_vendors && options.metrics.empty()) selected = of_both_vendors();
    const report::Side side_a{*run_a, a.kernel, label(a, *run_a)}, side_b{*run_b, b.kernel, label(b, *run_b)};
    auto kernels = report::compare(side_a, side_b, *selected);
    if (!kernels) return fail(kernels.error().to_string());
    for (const report::RunFile* run : {&*run_a, &*run_b})
        for (const std::string& gap : run->gaps)
            fmt::print(stderr, "lockstep: warning: {} is not complete: {}\n", run->file().string(), gap);

    int status = 0;
    if (!options.json.empty())
        status = write_output(options.json, report::compare_json(side_a, side_b, *kernels));
    if (!options.csv.empty())
        status = std::max(status, write_output(options.csv, report::compare_csv(*kernels)));
    if (options.json == "-" || options.csv == "-") return status;
    const bool any = std::any_of(kernels->begin(), kernels->end(),
                                 [](const auto& kernel) { return !kernel.a.empty() && !kernel.b.empty(); });
    status = std::max(status,
                      write_output("-", report::to_text(report::compare_report(side_a, side_b, *kernels))));
    if (any && two_vendors) {
        auto gpu_a = chosen_model(run_a->info.devices.front().gpu),
             gpu_b = chosen_model(run_b->info.devices.front().gpu);
        if (!gpu_a) return fail(gpu_a.error().to_string());
        if (!gpu_b) return fail(gpu_b.error().to_string());
        auto notes = report::vendor_notes(side_a, *gpu_a, side_b, *gpu_b, *kernels);
        if (!notes) return fail(notes.error().to_string());
        std::string text;
        for (const std::string& note : *notes) text += "\n" + note;
        status = std::max(status, write_output("-", text + "\n"));
    }
    if (!any) return fail("no kernel is in both; compare two by FILE:KERNEL");
    return status;
}

}  // namespace compare_command

void add_compare(CommandLine& line, Context& context) {
    using namespace compare_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command("compare", "Put two profiled runs or kernels side by side");
    command.footer(footer);
    command.add_option("RUNS", options->sides, "A and B: FILE or FILE:KERNEL").required(2);
    command.add_option("--metrics", options->metrics, "Which, as for lockstep profile")
        .separated_by(',')
        .one_value();
    command.add_option("--kernel-a", options->kernel_a, "The kernel of A");
    command.add_option("--kernel-b", options->kernel_b, "The kernel of B");
    command.add_option("--json", options->json, "Write the comparison as JSON to FILE (- is stdout)")
        .output_file();
    command.add_option("--csv", options->csv, "Write the comparison as CSV to FILE (- is stdout)")
        .output_file();
    command.callback([options, &context] { context.status = compare(*options); });
}

}  // namespace lockstep::cli
