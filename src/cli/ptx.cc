// lockstep ptx: checks and prints PTX, from a .ptx file, a .cu file or an executable.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/device-code.h"
#include "cli/models.h"
#include "compile/architectures.h"
#include "compile/blocked-signals.h"
#include "kernel/shapes.h"
#include "machine/view.h"
#include "ptx/kernel-memory.h"
#include "ptx/parser.h"
#include "ptx/printer.h"
#include "ptx/support-doc.h"

namespace lockstep::cli {
namespace {

struct Options {
    std::string file, gpu;
    bool print = false, raw = false, support = false, machine = false, unoptimised = false;
};

int check(const DeviceText& text, bool print) {
    const ptx::ParseOutcome outcome = ptx::parse_all(text.ptx, text.name);
    std::size_t problems = outcome.errors.size();
    for (const Error& error : outcome.errors) fmt::print(stderr, "{}\n", error.to_string());
    std::size_t kernels = 0;
    for (const ptx::Function& function : outcome.module.functions) {
        kernels += function.entry;
        for (const Error& error : ptx::unsupported(outcome.module, function)) {
            fmt::print(stderr, "{}\n", error.to_string());
            ++problems;
        }
    }
    for (const Error& error : ptx::too_much_shared(outcome.module)) {
        fmt::print(stderr, "{}\n", error.to_string());
        ++problems;
    }
    if (problems) return fail(fmt::format("{}: {} problem{}", text.name, problems, problems == 1 ? "" : "s"));
    if (print)
        fmt::print("{}", ptx::print(outcome.module));
    else
        fmt::print("{}: {} kernel{}, nothing that lockstep cannot run\n", text.name, kernels,
                   kernels == 1 ? "" : "s");
    return 0;
}

// What a GPU would issue for each kernel.
int show_machine(const DeviceText& text, const gpu::GpuModel& model, bool optimise) {
    auto module = ptx::parse(text.ptx, text.name);
    if (!module) return fail(module.error().to_string());
    for (std::uint32_t f = 0; f < module->functions.size(); ++f) {
        if (!module->functions[f].entry || module->functions[f].declaration) continue;
        // Functions without a body are the engine's own here: nothing is run.
        auto function = kernel::build(*module, f, [](const std::string&) { return true; });
        if (!function) return fail(function.error().to_string());
        const kernel::Shapes shapes = kernel::find_shapes(*function, true);
        fmt::print("{}\n", machine::to_string(machine::look(*function, shapes, model, {.optimise = optimise}),
                                              *function));
    }
    return 0;
}

int run(const Options& options) {
    if (options.support) {
        fmt::print("{}", ptx::support_document());
        return 0;
    }
    if (options.file.empty())
        return fail("ptx needs a FILE: PTX, a .cu file or an executable (see lockstep ptx --help)", 2);
    const compile::BlockedSignals signals;
    auto model = chosen_model_for_code(options.gpu);
    if (!model) return fail(model.error().to_string());
    compile::Flags flags;
    flags.architectures = {compile::clang_architecture(model->compute_capability())};
    auto texts = device_texts(options.file, flags);
    if (!texts) return fail(texts.error().to_string());
    int status = 0;
    if (options.machine) {
        for (const DeviceText& text : *texts)
            status = std::max(status, show_machine(text, *model, !options.unoptimised));
        return status;
    }
    for (const DeviceText& text : *texts) {
        if (options.raw)
            fmt::print("{}", text.ptx);
        else
            status = std::max(status, check(text, options.print));
    }
    return status;
}

}  // namespace

void add_ptx(CommandLine& line, Context& context) {
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("ptx", "Check or print the PTX of a .ptx or .cu file or an executable");
    command.add_option("FILE", options->file, "PTX, a .cu file, or an executable");
    command.add_flag("--print", options->print, "Print it as lockstep has understood it");
    command.add_flag("--raw", options->raw, "Print it as it is, unchecked");
    command.add_flag("--machine", options->machine,
                     "Show what a GPU would issue for it: the instructions that `lockstep profile` counts");
    command
        .add_option("--gpu", options->gpu,
                    "The GPU model that .cu files are compiled for, and that --machine shows (default: h200)")
        .check(gpu_name);
    command.add_flag("-G", options->unoptimised,
                     "With --machine: as unoptimised code, nothing predicated or folded");
    command.add_flag("--support", options->support, "List which PTX instructions lockstep runs");
    command.callback([&context, options] { context.status = run(*options); });
}

}  // namespace lockstep::cli
