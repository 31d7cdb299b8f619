// lockstep doctor: what is installed, what is missing and how to get it, and whether a program runs.
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file-cache.h"
#include "base/paths.h"
#include "cli/command.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/write-output.h"
#include "compile/files.h"
#include "compile/process.h"
#include "compile/toolchain.h"
#include "compile/version.h"
#include "gpu/model.h"
#include "measure/amd.h"
#include "measure/nvidia.h"
#include "report/wrapped-text.h"

namespace lockstep::cli {
namespace doctor_command {

namespace fs = std::filesystem;

struct Options {
    std::string json;
    bool no_trial = false;
};

constexpr const char* footer =
    "The last check compiles a small program and runs it on the simulated GPU.\n"
    "The exit status is 1 where something is missing that lockstep needs; what only some programs need is "
    "told.";

enum class State : std::uint8_t { good, missing, without };  // without: fine, but for what needs it

struct Finding {
    std::string subject, found;
    State state = State::good;
    std::string advice{};  // how to get what is missing, and what needs it
};

const char* state_name(State state) {
    switch (state) {
        case State::good: return "ok";
        case State::missing: return "missing";
        case State::without: return "absent";
    }
    return "";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string told_by(const compile::Arguments& command) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return "";
    auto finished = compile::run(command, scratch->path());
    return finished && finished->status.ok() ? first_line(finished->output) : "";
}

Finding machine() {
    utsname names{};
    uname(&names);
    constexpr double giga = 1 << 30;
    const double memory =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / giga;
    return {"machine", fmt::format("{} {}, {} cores, {:.0f} GiB of memory", names.sysname, names.machine,
                                   std::thread::hardware_concurrency(), memory)};
}

Finding installation() {
    const auto library = base::find_library_dir();
    if (!library)
        return {"libraries", first_line(library.error().message), State::missing,
                "install lockstep again: `make build`, or `make install`"};
    return {"libraries", library->string()};
}

Finding compiler(const Result<compile::Toolchain>& toolchain) {
    if (!toolchain)
        return {"clang 19", first_line(toolchain.error().message), State::missing,
                "apt-get install clang-19 (it compiles CUDA and HIP programs), or LOCKSTEP_CLANG=…/clang++"};
    return {"clang 19", fmt::format("{} ({})", toolchain->clang.string(),
                                    told_by({toolchain->clang.string(), "--version"}))};
}

Finding hip_library(const Result<compile::Toolchain>& toolchain) {
    if (toolchain && !toolchain->rocm_library.empty())
        return {"AMD's device library", toolchain->rocm_library.string()};
    return {"AMD's device library", "not found", State::without,
            "apt-get install rocm-device-libs (mathematics in HIP programs' kernels)"};
}

Finding header(const std::string& subject, const fs::path& file, const std::string& advice) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) return {subject, file.string()};
    return {subject, "not found", State::without, advice};
}

Finding models() {
    const auto folder = model_directory();
    if (!folder) return {"GPU models", folder.error().message, State::missing, "install lockstep again"};
    const auto names = gpu::list_models(*folder);
    for (const std::string& name : names)
        if (auto model = gpu::find_model(name, *folder, {}); !model)
            return {"GPU models", model.error().to_string(), State::missing, "mend or remove that file"};
    return {"GPU models", fmt::format("{}, in {}", names.size(), folder->string())};
}

Finding kept() {
    auto settings = base::cache_settings([](const char* name) { return std::getenv(name); });
    if (!settings)
        return {"cache", settings.error().message, State::missing,
                "correct LOCKSTEP_CACHE or LOCKSTEP_CACHE_SIZE"};
    const std::string advice =
        "programs are compiled anew each time: LOCKSTEP_CACHE=FOLDER names one that can be written";
    if (settings->directory.empty())
        return {"cache", "neither LOCKSTEP_CACHE nor HOME is set", State::without, advice};
    std::error_code error;
    fs::create_directories(settings->directory, error);
    if (error || access(settings->directory.c_str(), W_OK) != 0)
        return {"cache", fmt::format("{} cannot be written", settings->directory.string()), State::without,
                advice};
    constexpr double mega = 1 << 20;
    double bytes = 0;
    for (const auto& [kind, usage] : base::FileCache(*settings).usage())
        bytes += static_cast<double>(usage.bytes);
    return {"cache", fmt::format("{}, {:.0f} MiB", settings->directory.string(), bytes / mega)};
}

Finding program(const std::string& name, const std::optional<fs::path>& found, const std::string& advice) {
    if (found) return {name, found->string()};
    return {name, "not found", State::without, advice};
}

Finding hardware(const std::string& subject, bool has_tool,
                 Result<std::vector<measure::RealGpu>> (*find_gpus)()) {
    const std::string advice =
        "nothing needs it; where there is one, --on gpu and `lockstep measure` use it (docs/measure.md)";
    if (!has_tool) return {subject, "none", State::without, advice};
    auto gpus = find_gpus();
    if (!gpus) return {subject, first_line(gpus.error().message), State::without, advice};
    std::string names;
    for (const measure::RealGpu& gpu : *gpus)
        names += fmt::format("{}{}{}", names.empty() ? "" : ", ", gpu.name,
                             gpu.driver.empty() ? "" : fmt::format(" (driver {})", gpu.driver));
    return {subject, names};
}

// Doubles 100 numbers and adds them up.
constexpr const char* trial_source = R"(#include <cstdio>
__global__ void twice(int* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 2 * i; }
int main() {
    int *x = nullptr, host[100], sum = 0;
    cudaMalloc(&x, sizeof host);
    twice<<<4, 32>>>(x, 100);
    if (cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int value : host) sum += value;
    std::printf("%d\n", sum);
    return sum == 9900 ? 0 : 1;
}
)";

Finding trial() {
    constexpr const char* subject = "a program";
    auto folder = compile::TempDir::create();
    if (!folder)
        return {subject, folder.error().to_string(), State::missing, "a folder for temporary files: TMPDIR"};
    const fs::path source = folder->path() / "trial.cu";
    if (auto written = compile::write_file(source, trial_source); !written)
        return {subject, written.error().to_string(), State::missing,
                "room in the folder for temporary files"};
    const auto begin = std::chrono::steady_clock::now();
    auto finished = compile::run(
        {base::module_file().string(), "run", "--no-cache", "--gpu", gpu::default_model, source.string()},
        folder->path());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (!finished) return {subject, finished.error().to_string(), State::missing};
    if (!finished->status.ok() || finished->output != "9900\n")
        return {subject, fmt::format("failed: {}", first_line(finished->errors + finished->output)),
                State::missing, "`lockstep report-bug` collects what is needed to find out why"};
    return {subject, fmt::format("compiled and run on a simulated GPU in {:.1f} s, its result is right",
                                 taken.count())};
}

std::vector<Finding> examine(const Options& options) {
    std::vector<Finding> all = {
        {"lockstep", fmt::format("{}, {}", compile::version(), base::module_file().string())}};
    const auto add = [&](Finding finding) { all.push_back(std::move(finding)); };
    add(machine());
    add(installation());
    const auto toolchain = compile::find_toolchain();
    add(compiler(toolchain));
    add(models());
    add(kept());
    add(header("CUB and Thrust", "/usr/include/thrust/version.h",
               "apt-get install libthrust-dev libcub-dev (programs that include them)"));
    add(hip_library(toolchain));
    add(program("mpirun", compile::find_program("mpirun"),
                "apt-get install openmpi-bin (sweeps over several processes or machines)"));
    add(hardware("NVIDIA GPU", compile::find_cuda_program("nvidia-smi").has_value(),
                 measure::find_nvidia_gpus));
    add(program("nvcc", compile::find_cuda_program("nvcc"),
                "nothing needs it; where NVIDIA's CUDA toolkit is installed, --compiler nvcc uses it"));
    add(program("ncu", compile::find_cuda_program("ncu"),
                "nothing needs it; Nsight Compute reads a real GPU's counters for --on gpu"));
    add(hardware("AMD GPU", compile::find_rocm_program("rocminfo").has_value(), measure::find_amd_gpus));
    add(program("hipcc", compile::find_rocm_program("hipcc"),
                "nothing needs it; AMD's own compiles HIP programs for --on gpu"));
    const auto rocprof = measure::find_rocprof();
    add(program("rocprofv3", rocprof ? std::optional(rocprof->file) : std::nullopt,
                "nothing needs it; it reads an AMD GPU's counters for --on gpu"));
    if (!options.no_trial) add(trial());
    return all;
}

std::string text_of(const std::vector<Finding>& findings) {
    std::size_t widest = 0;
    for (const Finding& one : findings) widest = std::max(widest, one.subject.size());
    constexpr std::size_t marks = 9;
    std::string text;
    for (const Finding& one : findings) {
        text +=
            fmt::format("{:<{}}{:<{}}  {}\n", state_name(one.state), marks, one.subject, widest, one.found);
        const std::size_t indent = marks + widest + 2;
        if (!one.advice.empty())
            text += std::string(indent, ' ') + report::wrapped(one.advice, terminal_width(), indent, indent) +
                    "\n";
    }
    return text;
}

std::string json_of(const std::vector<Finding>& findings) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Finding& one : findings)
        rows.push_back({{"subject", one.subject},
                        {"state", state_name(one.state)},
                        {"found", one.found},
                        {"advice", one.advice}});
    return nlohmann::ordered_json{{"lockstep", compile::version()}, {"checks", rows}}.dump(2) + "\n";
}

int run(const Options& options) {
    const auto findings = examine(options);
    const bool good =
        std::ranges::none_of(findings, [](const Finding& one) { return one.state == State::missing; });
    int status = good ? 0 : 1;
    if (!options.json.empty()) status = std::max(status, write_output(options.json, json_of(findings)));
    if (options.json != "-")
        status = std::max(
            status,
            write_output("-", text_of(findings) + (good ? "\nNothing is missing that lockstep needs.\n"
                                                        : "\nSomething is missing that lockstep needs.\n")));
    return status;
}

}  // namespace doctor_command

void add_doctor(CommandLine& line, Context& context) {
    using namespace doctor_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("doctor", "Say what is installed, what is missing and how to get it");
    command.footer(footer);
    command.add_option("--json", options->json, "Write the findings as JSON to FILE (- is stdout)")
        .output_file();
    command.add_flag("--no-trial", options->no_trial, "Compile and run nothing");
    command.callback([options, &context] { context.status = run(*options); });
}

}  // namespace lockstep::cli
