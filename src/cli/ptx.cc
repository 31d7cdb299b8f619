// lockstep ptx: checks and prints PTX, from a .ptx file, a .cu file or an executable.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/device-code.h"
#include "cli/models.h"
#include "compile/architectures.h"
#include "compile/blocked-signals.h"
#include "kernel/undefined-functions.h"
#include "pipeline/pipeline.h"
#include "ptx/kernel-memory.h"
#include "ptx/parser.h"
#include "ptx/printer.h"
#include "ptx/supplied.h"
#include "ptx/support-doc.h"
#include "ptx/user-lines.h"

namespace lockstep::cli {
namespace ptx_command {

struct Options {
    std::string file, gpu, dump_after;
    bool print = false, raw = false, support = false, machine = false, unoptimised = false;
};

// Functions that the engine has itself, as far as names tell: the command does not carry the engine. What
// begins so is CUDA's device library.
bool is_engines(const std::string& name) {
    const auto& others = ptx::supplied_functions;
    return name.starts_with("__nv_") || std::find(others.begin(), others.end(), name) != others.end();
}

// What the relocatable ones among the texts define, for all of them.
std::set<std::string> linked_functions(const std::vector<DeviceText>& texts) {
    std::set<std::string> names;
    for (const DeviceText& text : texts) {
        if (!text.relocatable) continue;
        const ptx::ParseOutcome outcome = ptx::parse_all(text.ptx, text.name);
        for (const ptx::Function& function : outcome.module.functions)
            if (!function.declaration) names.insert(function.name);
    }
    return names;
}

int check(const DeviceText& text, const std::set<std::string>& linked, bool print) {
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
    ptx::Module by_user_lines = outcome.module;
    ptx::attribute_to_user_lines(by_user_lines);
    for (const ptx::Function& function : by_user_lines.functions)
        for (const Error& error :
             kernel::undefined_uses(by_user_lines, function, [&](const std::string& name) {
                 return is_engines(name) || (text.relocatable && linked.contains(name));
             })) {
            fmt::print(stderr, "{}\n", error.to_string());
            ++problems;
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

// What there is of each kernel after a pass.
int show_pass(const DeviceText& text, const gpu::GpuModel& model, std::string_view pass, bool unoptimised) {
    auto module = ptx::parse(text.ptx, text.name);
    if (!module) return fail(module.error().to_string());
    const kernel::PassTap tap([&](std::string_view name, const std::function<std::string()>& listing) {
        if (name == pass) fmt::print("{}\n", listing());
    });
    for (std::uint32_t f = 0; f < module->functions.size(); ++f) {
        if (!module->functions[f].entry || module->functions[f].declaration) continue;
        machine::Options options = pipeline::machine_options(*module, f, model);
        if (unoptimised) options.optimise = false;
        auto derived = pipeline::derive(kernel::source_of(*module, f), model, options, tap);
        if (!derived) return fail(derived.error().to_string());
    }
    return 0;
}

std::string pass_list() {
    std::string text = "Passes, in order, and what there is after each:\n";
    for (const pipeline::Pass& pass : pipeline::passes())
        text += fmt::format("  {:<12} {}\n", pass.name, pass.shows);
    return text;
}

std::string unknown_pass(const std::string& name) {
    std::vector<std::string> names;
    for (const pipeline::Pass& pass : pipeline::passes()) names.emplace_back(pass.name);
    if (std::ranges::find(names, name) != names.end()) return "";
    const std::vector<std::string> near = nearest(name, names);
    return fmt::format(
        "there is no pass '{}'{}", name,
        near.empty() ? " (see lockstep ptx --help)" : fmt::format(" (did you mean {}?)", near.front()));
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
    const std::string pass = options.machine ? "machine" : options.dump_after;
    if (!pass.empty()) {
        for (const DeviceText& text : *texts)
            status = std::max(status, show_pass(text, *model, pass, options.unoptimised));
        return status;
    }
    const std::set<std::string> linked = options.raw ? std::set<std::string>() : linked_functions(*texts);
    for (const DeviceText& text : *texts) {
        if (options.raw)
            fmt::print("{}", text.ptx);
        else
            status = std::max(status, check(text, linked, options.print));
    }
    return status;
}

}  // namespace ptx_command

void add_ptx(CommandLine& line, Context& context) {
    using namespace ptx_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("ptx", "Check or print the PTX of a .ptx or .cu file or an executable");
    command.add_option("FILE", options->file, "PTX, a .cu file, or an executable");
    command.add_flag("--print", options->print, "Print it as lockstep has understood it");
    command.add_flag("--raw", options->raw, "Print it as it is, unchecked");
    const Option machine = command.add_flag(
        "--machine", options->machine,
        "Show what a GPU would issue for it: the instructions that `lockstep profile` counts");
    command
        .add_option("--dump-after", options->dump_after,
                    "Show what there is of each kernel after a pass on its way (below)")
        .type_name("PASS")
        .check(unknown_pass)
        .excludes(machine);
    command.footer(pass_list());
    command
        .add_option("--gpu", options->gpu,
                    "The GPU model that .cu files are compiled for, and that --machine and --dump-after show "
                    "(default: h200)")
        .check(gpu_name);
    command.add_flag("-G", options->unoptimised,
                     "With --machine and --dump-after: as unoptimised code, nothing predicated or folded");
    command.add_flag("--support", options->support, "List which PTX instructions lockstep runs");
    command.callback([&context, options] { context.status = run(*options); });
}

}  // namespace lockstep::cli
