// The command. Each subcommand is a file of its own; this one only chooses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/unknown-name.h"
#include "cli/assembler-report.h"
#include "cli/command.h"
#include "cli/models.h"
#include "compile/hipcc-driver.h"
#include "compile/nvcc-driver.h"
#include "compile/version.h"
#include "gpu/block-limits.h"

namespace lockstep::cli {

int fail(const std::string& message, int status) {
    const bool is_compilers = message.find("\nlockstep: ") != std::string::npos;
    fmt::print(stderr, "{}{}\n",
               is_compilers || message.rfind("lockstep: ", 0) == 0 ? "" : "lockstep: ", message);
    return status;
}

namespace {

constexpr const char* description =
    "Runs CUDA programs on a simulated GPU: no GPU and no CUDA installation needed.";
constexpr const char* examples =
    "Examples:\n"
    "  lockstep run vectorAdd.cu                    compile and run\n"
    "  lockstep run --gpu gtx1650 reduce.cu -- 1024 with arguments, on another GPU\n"
    "  lockstep run ./a.out                         a program that nvcc -cudart shared has built\n"
    "  lockstep check reduce.cu                     races, bad accesses, leaks … with their lines\n"
    "  lockstep profile reduce.cu                   a GPU's counters for each kernel\n"
    "  lockstep explain reduce.cu                   why it is slow, where, and what would help\n"
    "  lockstep sweep sum.cu --block 32x32,64x4      which block is fastest, and why\n"
    "  lockstep timeline streams.cu                 streams, copies and kernels in time\n"
    "  lockstep nvcc -O3 -o saxpy saxpy.cu          build as with nvcc; ./saxpy then runs by itself\n"
    "  make NVCC=\"lockstep nvcc\"                    a whole project\n"
    "`lockstep COMMAND --help` tells more.";

int nvcc_main(const std::vector<std::string>& arguments) {
    auto model = chosen_model_for_code("");
    if (!model) return fail(model.error().to_string());
    return compile::nvcc_main(arguments, model->compute_capability(), assembler_report);
}

// What HIP is compiled for. A GPU of NVIDIA's may be chosen for what else is done in this shell.
Result<std::string> hip_target() {
    const char* const variable = getenv("LOCKSTEP_GPU");
    auto model = chosen_model(variable && *variable ? "" : gpu::default_hip_model);
    if (model && model->target.empty()) model = chosen_model(gpu::default_hip_model);
    if (!model) return model.error();
    return model->target;
}

int hipcc_main(const std::vector<std::string>& arguments) {
    auto target = hip_target();
    if (!target) return fail(target.error().to_string());
    return compile::hipcc_main(arguments, *target);
}

// Build systems ask it which GPUs there are.
int rocm_agent_enumerator_main(const std::vector<std::string>&) {
    auto target = hip_target();
    if (!target) return fail(target.error().to_string());
    fmt::print("{}\n", *target);
    return 0;
}

using Tool = int (*)(const std::vector<std::string>& arguments);
constexpr std::pair<const char*, Tool> tools[] = {
    {"nvcc", nvcc_main},
    {"hipcc", hipcc_main},
    {"hipconfig", compile::hipconfig_main},
    {"rocm_agent_enumerator", rocm_agent_enumerator_main},
    {"nvprof", nvprof_main},
    {"ncu", ncu_main},
    {"compute-sanitizer", compute_sanitizer_main},
    {"nvidia-smi", nvidia_smi_main},
    {"cuobjdump", cuobjdump_main},
    {"omniperf", omniperf_main},
    {"rocprof-compute", omniperf_main},  // its name since ROCm 6.3
    {"rocprof", rocprof_main},
    {"rocprofv3", rocprofv3_main},
};

int run(std::vector<std::string> arguments) {
    // The command lines of NVIDIA's tools are their own; nothing of them is ours to parse.
    for (const auto& [name, tool] : tools) {
        if (arguments.empty() || arguments[0] != name) continue;
        arguments.erase(arguments.begin());
        return tool(arguments);
    }

    Context context;
    CommandLine line(description, examples, fmt::format("lockstep {}", compile::version()));
    add_run(line, context);
    add_check(line, context);
    add_profile(line, context);
    add_explain(line, context);
    add_report(line, context);
    add_sweep(line, context);
    add_timeline(line, context);
    add_compare(line, context);
    add_measure(line, context);
    add_calibrate(line, context);
    add_lab(line, context);
    add_nvcc(line);
    add_hipcc(line);
    add_nvprof(line);
    add_ncu(line);
    add_compute_sanitizer(line);
    add_nvidia_smi(line);
    add_cuobjdump(line);
    add_omniperf(line);
    add_rocprof(line);
    add_rocprofv3(line);
    add_shims(line, context);
    add_env(line, context);
    add_gpus(line, context);
    add_ptx(line, context);
    add_occupancy(line, context);
    add_cache(line, context);
    add_doctor(line, context);
    add_report_bug(line, context);
    add_help(line, context);

    const std::vector<std::string> commands = line.commands();
    if (arguments.empty()) {
        fmt::print(stderr, "{}", line.help());
        return 2;
    }
    if (arguments[0][0] != '-' &&
        std::find(commands.begin(), commands.end(), arguments[0]) == commands.end()) {
        return fail(base::unknown_name("command", arguments[0], commands), 2);
    }
    split_program_arguments(arguments, context);
    if (const auto parsed = line.run(std::move(arguments)); !parsed)
        return fail(fmt::format("{} (see lockstep --help)", parsed.error().message), 2);
    return context.status;
}

}  // namespace
}  // namespace lockstep::cli

int main(int argc, char** argv) { return lockstep::cli::run({argv + 1, argv + argc}); }
