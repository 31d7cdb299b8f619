// lockstep occupancy: how many warps of a kernel an SM holds at once, what stops more, and what would change
// it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/pattern.h"
#include "cli/block-drawing.h"
#include "cli/command.h"
#include "cli/device-code.h"
#include "cli/kernel-resources.h"
#include "cli/latency-report.h"
#include "cli/models.h"
#include "cli/occupancy-report.h"
#include "compile/blocked-signals.h"
#include "compile/nvcc-plan.h"
#include "compile/program.h"

namespace lockstep::cli {
namespace occupancy_command {

namespace fs = std::filesystem;

struct Options {
    std::string gpu, block, smem, kernel, compiler = "clang";
    std::vector<std::string> settings;
    int registers = 0;
    int warp_size = 0;
    int bytes_per_thread = 4;
    bool estimate = false, latency = false, layout = false, all = false, json = false, csv = false;
};

constexpr const char* footer =
    "lockstep occupancy [--gpu G] --block 256 --regs 32 --smem 4096     from numbers\n"
    "lockstep occupancy [--gpu G] [COMPILER OPTIONS] PROG.cu            from a program (or an executable, or "
    "PTX)\n"
    "lockstep occupancy --gpu fermi --latency                           parallelism that hides latencies\n"
    "lockstep occupancy --layout --block 40x2                           how a block becomes warps\n"
    "Registers come from `ptxas -v` where it is installed, else from an estimate. Compiler options are "
    "nvcc's, -maxrregcount among "
    "them.";

Result<gpu::Dimensions> parse_block(const std::string& text) {
    if (const auto block = gpu::parse_dimensions(text)) return *block;
    return Error{fmt::format("--block {}: give threads as 256, 32x8 or 8x8x4", text), {}};
}

// "4096", "4K" or "4KB".
Result<std::uint64_t> parse_bytes(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [next, failed] = std::from_chars(text.data(), end, number);
    const std::string unit(next, end);
    const bool kilo = unit == "K" || unit == "k" || unit == "KB" || unit == "kB";
    if (failed != std::errc() || (!unit.empty() && !kilo) || number > (std::uint64_t{1} << 40))
        return Error{fmt::format("--smem {}: give bytes as 4096 or 4K", text), {}};
    return kilo ? number * 1024 : number;
}

struct Request {
    gpu::GpuModel gpu;
    std::optional<gpu::Dimensions> block;
    std::uint64_t shared_bytes = 0;
};

Result<Request> request_of(const Options& options) {
    Request request;
    auto model = chosen_model(options.gpu, options.settings);
    if (!model) return model.error();
    request.gpu = *model;
    if (!options.block.empty()) {
        auto block = parse_block(options.block);
        if (!block) return block.error();
        if (auto reason = gpu::shape_obstacle(request.gpu, *block))
            return Error{fmt::format("{}: {}", request.gpu.name, *reason), {}};
        request.block = *block;
    }
    if (!options.smem.empty()) {
        auto bytes = parse_bytes(options.smem);
        if (!bytes) return bytes.error();
        request.shared_bytes = *bytes;
    }
    return request;
}

// What a block of this kernel takes, if the GPU can run it at all.
Result<gpu::BlockDemand> demand_of(const gpu::GpuModel& gpu, std::uint64_t threads, int registers,
                                   std::uint64_t shared_bytes) {
    if (registers > 0)
        if (auto reason = gpu::register_obstacle(gpu, threads, registers))
            return Error{fmt::format("{}: {}", gpu.name, *reason), {}};
    if (auto reason = gpu::shared_obstacle(gpu, shared_bytes))
        return Error{fmt::format("{}: {}", gpu.name, *reason), {}};
    return gpu::BlockDemand{static_cast<int>(threads), registers, shared_bytes};
}

int show_layout(const Options& options, const Request& request) {
    if (!request.block) return fail("--layout needs --block, for example --block 40x2", 2);
    const int warp_size = options.warp_size ? options.warp_size : request.gpu.warp_size;
    const gpu::BlockLayout layout = gpu::block_layout(*request.block, warp_size);
    if (options.json)
        fmt::print("{}\n", json_of(layout).dump(2));
    else
        fmt::print("{}", options.csv ? csv_of(layout) : text_of(layout, options.all));
    return 0;
}

int show_latency(const Options& options, const Request& request) {
    if (options.csv) return fail("--latency has no table for --csv; there is --json", 2);
    LatencyRequest latency{options.bytes_per_thread, {}};
    if (request.block) {
        auto demand =
            demand_of(request.gpu, gpu::count(*request.block), options.registers, request.shared_bytes);
        if (!demand) return fail(demand.error().to_string());
        latency.active_warps =
            gpu::occupancy(request.gpu, *demand).warps_per_sm(request.gpu, demand->threads);
    }
    if (options.json)
        fmt::print("{}\n", latency_json(request.gpu, latency).dump(2));
    else
        fmt::print("{}", latency_text(request.gpu, latency));
    return 0;
}

int show_numbers(const Options& options, const Request& request) {
    if (!request.block)
        return fail("occupancy needs a program, or --block (see lockstep occupancy --help)", 2);
    auto demand = demand_of(request.gpu, gpu::count(*request.block), options.registers, request.shared_bytes);
    if (!demand) return fail(demand.error().to_string());
    const Calculation result = calculate(request.gpu, *request.block, *demand);
    if (options.json)
        fmt::print("{}\n", json_of(result).dump(2));
    else
        fmt::print("{}", options.csv ? csv_of(result) : text_of(result));
    return 0;
}

// The device code of all files on the command line, and how it was compiled.
struct Code {
    std::vector<DeviceText> texts;
    RegisterOptions registers;
};

Result<Code> code_of(const Options& options, const std::vector<std::string>& rest, const gpu::GpuModel& gpu) {
    auto line = compile::parse_nvcc(rest);
    if (!line) return line.error();
    if (!line->unknown.empty())
        return Error{
            fmt::format("unknown option {} (see lockstep occupancy --help)", fmt::join(line->unknown, ", ")),
            {}};
    std::vector<fs::path> files;
    std::vector<fs::path> sources;
    compile::NvccCommandLine compiled;  // what is left when PTX and executables are taken out
    for (const compile::NvccArgument& argument : line->arguments) {
        if (argument.option) {
            compiled.arguments.push_back(argument);
        } else if (fs::path(argument.text).extension() == ".cu") {
            sources.push_back(argument.text);
            compiled.arguments.push_back(argument);
        } else {
            files.push_back(argument.text);
        }
    }
    if (sources.empty() && files.empty())
        return Error{"occupancy needs a program: a .cu file or an executable", {}};
    auto plan = compile::plan_nvcc(compiled, {gpu.compute_capability()});
    if (!plan) return plan.error();
    Code code{{}, {!plan->flags.device_debug, options.estimate}};
    if (options.compiler == "nvcc" && !sources.empty()) {
        compile::ProgramRequest request;
        request.sources = sources;
        request.compiler = compile::Compiler::nvcc;
        request.flags = plan->flags;
        request.native = plan->nvcc;
        request.native_link = plan->nvcc_link;
        auto program = compile::build_program(request);
        if (!program) return program.error();
        auto texts = device_texts(program->file, plan->flags);
        if (!texts) return texts.error();
        code.texts = std::move(*texts);
    } else {
        files.insert(files.begin(), sources.begin(), sources.end());
    }
    for (const fs::path& file : files) {
        auto texts = device_texts(file, plan->flags);
        if (!texts) return texts.error();
        const std::size_t groups = code.texts.empty() ? 0 : code.texts.back().group + 1;
        for (DeviceText& text : *texts) {
            text.group += groups;
            code.texts.push_back(std::move(text));
        }
    }
    return code;
}

Result<std::vector<KernelResources>> select(std::vector<KernelResources> kernels,
                                            const std::string& pattern) {
    if (kernels.empty()) return Error{"there is no kernel in it", {}};
    if (pattern.empty()) return kernels;
    std::vector<KernelResources> selected;
    std::vector<std::string> names;
    const auto expression = base::Pattern::create(pattern);
    if (!expression) return Error{fmt::format("--kernel {}: {}", pattern, expression.error().message), {}};
    for (KernelResources& kernel : kernels) {
        names.push_back(kernel.name);
        if (expression->found_in(kernel.name) || expression->found_in(kernel.mangled))
            selected.push_back(std::move(kernel));
    }
    if (selected.empty())
        return Error{
            fmt::format("--kernel {}: none of the kernels is called so: {}", pattern, fmt::join(names, "; ")),
            {}};
    return selected;
}

Result<KernelOccupancy> occupancy_of(KernelResources kernel, const Request& request) {
    const gpu::GpuModel& gpu = request.gpu;
    const std::uint64_t shared = kernel.static_shared_bytes + request.shared_bytes;
    const auto in_kernel = [&](const Error& error) {
        return Error{fmt::format("kernel {}: {}", kernel.name, error.message), {}};
    };
    const int registers = kernel.registers.count.value_or(0);
    KernelOccupancy result;
    gpu::BlockDemand demand{0, registers, shared};
    if (request.block) {
        const std::uint64_t threads = gpu::count(*request.block);
        if (kernel.max_threads > 0 && threads > static_cast<std::uint64_t>(kernel.max_threads))
            return in_kernel({fmt::format("a block of {} threads; its __launch_bounds__ allow {}", threads,
                                          kernel.max_threads),
                              {}});
        auto checked = demand_of(gpu, threads, registers, shared);
        if (!checked) return in_kernel(checked.error());
        demand = *checked;
        result.calculation = calculate(gpu, *request.block, demand, kernel.max_threads);
    } else if (auto reason = gpu::shared_obstacle(gpu, shared)) {
        return in_kernel({fmt::format("{}: {}", gpu.name, *reason), {}});
    }
    result.block_sizes = gpu::what_if_threads(gpu, demand, kernel.max_threads);
    result.kernel = std::move(kernel);
    return result;
}

int show_program(const Options& options, const Request& request, const std::vector<std::string>& rest) {
    if (auto reason = gpu::execution_obstacle(request.gpu)) return fail(*reason);
    auto code = code_of(options, rest, request.gpu);
    if (!code) return fail(code.error().to_string());
    auto found = kernel_resources(code->texts, request.gpu, code->registers);
    if (!found) return fail(found.error().to_string());
    auto kernels = select(std::move(*found), options.kernel);
    if (!kernels) return fail(kernels.error().to_string());
    std::vector<KernelOccupancy> results;
    for (KernelResources& kernel : *kernels) {
        if (options.registers > 0) kernel.registers = {options.registers, "given", ""};
        auto result = occupancy_of(std::move(kernel), request);
        if (!result) return fail(result.error().to_string());
        results.push_back(std::move(*result));
    }
    if (options.json)
        fmt::print("{}\n", json_of(request.gpu, results).dump(2));
    else
        fmt::print("{}", options.csv ? csv_of(request.gpu, results) : text_of(request.gpu, results));
    return 0;
}

int show(const Options& options, const std::vector<std::string>& rest) {
    auto request = request_of(options);
    if (!request) return fail(request.error().to_string());
    if (!rest.empty() && (options.layout || options.latency))
        return fail("--layout and --latency are about a GPU and a block, not about a program", 2);
    if (options.layout) return show_layout(options, *request);
    if (options.latency) return show_latency(options, *request);
    if (rest.empty()) return show_numbers(options, *request);
    const compile::BlockedSignals signals;
    return show_program(options, *request, rest);
}

}  // namespace occupancy_command

void add_occupancy(CommandLine& line, Context& context) {
    using namespace occupancy_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("occupancy", "How many warps an SM holds, and what limits them (a calculator)");
    command.footer(footer);
    command.allow_rest();
    add_model_options(command, options->gpu, options->settings);
    command.add_option("--block", options->block, "Threads of a block: 256, 32x8 or 8x8x4");
    command.add_option("--regs", options->registers, "Registers a thread, instead of the program's")
        .between(1, 65536);
    command.add_flag("--estimate", options->estimate,
                     "Registers by lockstep's own estimate, even where ptxas is installed");
    command.add_option("--smem", options->smem,
                       "Shared memory a block, in bytes (4096 or 4K); of a program: its dynamic part");
    command.add_option("--kernel", options->kernel, "Only kernels whose name this regular expression finds");
    command.add_option("--compiler", options->compiler, "clang (default), or nvcc where it is installed")
        .one_of({"clang", "nvcc"});
    command.add_flag("--latency", options->latency, "Little's law: the parallelism that hides latencies");
    command
        .add_option("--bytes-per-thread", options->bytes_per_thread,
                    "For --latency: what a thread has in flight (default: 4)")
        .between(1, 1024);
    const Option layout =
        command.add_flag("--layout", options->layout, "How the block becomes warps, with idle lanes");
    command.add_option("--warp-size", options->warp_size, "For --layout: lanes a warp, 32 or 64")
        .one_of({"32", "64"})
        .needs(layout);
    command.add_flag("--all", options->all, "For --layout: every warp").needs(layout);
    const Option json = command.add_flag("--json", options->json, "For programs");
    command.add_flag("--csv", options->csv, "For spreadsheets").excludes(json);
    command.callback([command, options, &context] { context.status = show(*options, command.rest()); });
}

}  // namespace lockstep::cli
