// lockstep report: a page of one or several runs, in one HTML file.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "cli/command.h"
#include "cli/launch-selection.h"
#include "cli/option-checks.h"
#include "cli/report-page.h"
#include "compile/files.h"
#include "compile/output-file.h"

namespace lockstep::cli {
namespace report_command {

struct Options {
    std::vector<std::string> runs, sweeps;
    std::string kernels, output = "report.html";
    bool open = false;
};

constexpr const char* footer =
    "RUNS are files that `lockstep profile -o FILE` or `lockstep explain -o FILE` wrote. The first is what "
    "the others\n"
    "are compared with. What findings cost is in runs of `lockstep explain` and `lockstep profile --open`.\n"
    "Examples:\n"
    "  lockstep explain -o run.lockstep reduce.cu && lockstep report run.lockstep -o report.html\n"
    "  lockstep report before.lockstep after.lockstep --open\n"
    "  lockstep sweep --json sweep.json sum.cu --block 32x32,64x2 && lockstep report --sweep sweep.json";

Result<std::vector<page::SweepInput>> read_sweeps(const std::vector<std::string>& files) {
    std::vector<page::SweepInput> sweeps;
    for (const std::string& file : files) {
        if (auto good = compile::check_input(file); !good) return good.error();
        auto text = compile::read_file(file);
        if (!text) return Error{"cannot read this file", {file}};
        sweeps.push_back({file, std::move(*text)});
    }
    return sweeps;
}

int report(const Options& options) {
    if (options.runs.empty() && options.sweeps.empty())
        return fail("report: there is nothing to show: name a run file, or --sweep FILE", 2);
    if (auto checked = check_regex("--kernels", options.kernels); !checked)
        return fail(checked.error().to_string(), 2);
    using compile::Output;
    const std::array outputs = {Output{"-o", options.output}};
    std::vector<std::filesystem::path> inputs(options.runs.begin(), options.runs.end());
    inputs.insert(inputs.end(), options.sweeps.begin(), options.sweeps.end());
    if (auto good = compile::check_outputs(outputs, inputs); !good) return fail(good.error().to_string(), 2);
    if (options.open && options.output == "-")
        return fail("--open needs a file: -o - writes to the standard output", 2);

    PageRequest request{options.output, {}, options.open};
    auto sweeps = read_sweeps(options.sweeps);
    if (!sweeps) return fail(sweeps.error().to_string());
    request.sweeps = std::move(*sweeps);
    std::vector<report::RunFile> runs;
    for (const std::string& file : options.runs) {
        auto run = report::RunFile::open(file);
        if (!run) return fail(run.error().to_string());
        if (!options.kernels.empty()) run->keep_kernels(options.kernels);
        if (run->kernels.empty() && run->failures.empty())
            return fail(fmt::format("{}: no kernel is in this run{}", file,
                                    options.kernels.empty() ? "" : " that --kernels lets through"));
        runs.push_back(std::move(*run));
    }
    return write_page(runs, request);
}

}  // namespace report_command

void add_report(CommandLine& line, Context& context) {
    using namespace report_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("report", "Make a page of profiled runs: one HTML file, with pictures and findings");
    command.footer(footer);
    command.add_option("RUNS", options->runs, "Run files");
    command.add_option("-o,--output", options->output, "The page (report.html; - is stdout)").output_file();
    command.add_option("--kernels", options->kernels, "Only kernels whose name has a match of this REGEX");
    command.add_option("--sweep", options->sweeps, "Also plot what lockstep sweep --json wrote to FILE")
        .one_value();
    command.add_flag("--open", options->open, "Open it in a browser ($BROWSER, or xdg-open)");
    command.callback([options, &context] { context.status = report_command::report(*options); });
}

}  // namespace lockstep::cli
