#include "cli/native-program.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/paths.h"
#include "compile/executable.h"
#include "compile/files.h"
#include "compile/toolkit.h"
#include "measure/amd.h"
#include "measure/nvidia.h"

namespace lockstep::cli {
namespace {

Result<std::vector<measure::RealGpu>> find_gpus(std::optional<bool> hip) {
    if (hip) return *hip ? measure::find_amd_gpus() : measure::find_nvidia_gpus();
    auto gpus = measure::find_nvidia_gpus();
    if (gpus) return gpus;
    if (auto others = measure::find_amd_gpus()) return others;
    return gpus;
}

}  // namespace

Result<void> find_hardware(ProgramOptions& options, const std::vector<std::string>& rest) {
    if (options.on != "gpu") return {};
    if (!options.gpu.empty() || !options.settings.empty() || !options.devices.empty() || !options.ptx.empty())
        return Error{
            "--on gpu runs the program on the GPU that is here: --gpu, --set, --devices and --ptx are of "
            "simulated ones",
            {}};
    if (options.sample) return Error{"--on gpu runs all blocks: --sample is of simulated GPUs", {}};
    const std::optional<bool> hip = says_hip(options, rest);
    auto gpus = find_gpus(hip);
    if (!gpus)
        return Error{
            fmt::format("--on gpu: {}; without it the program runs on a simulated one, and `lockstep "
                        "measure --measured FILE` reads what {} on another machine",
                        gpus.error().message, hip.value_or(false) ? "rocprof wrote" : "ncu printed"),
            {}};
    options.hardware = std::move(*gpus);
    return {};
}

void leave_lockstep() {
    const auto library = base::find_library_dir();
    const auto toolkit = compile::toolkit_root();
    for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) {
        const char* const list = getenv(name);
        if (!list) continue;
        std::string kept;
        std::istringstream in(list);
        for (std::string entry; std::getline(in, entry, ':');) {
            if (library && entry.starts_with(library->string())) continue;
            if (toolkit && entry.starts_with(toolkit->string())) continue;
            kept += (kept.empty() ? "" : ":") + entry;
        }
        kept.empty() ? unsetenv(name) : setenv(name, kept.c_str(), 1);
    }
}

Prepared take_native(const std::filesystem::path& file, const Context& context) {
    // One of ours is linked to our library by its place.
    const auto library = base::find_library_dir();
    const auto bytes = library && compile::is_elf(file) ? compile::read_file(file) : std::nullopt;
    if (bytes && bytes->find(library->string()) != std::string::npos)
        return {{},
                fail(fmt::format("{}: lockstep has built this for the simulated GPU; for a real one give its "
                                 "source, or build it with NVIDIA's nvcc or AMD's hipcc",
                                 file.string()))};
    return {StartableProgram{startable_path(file), file.string(), context.after_dashes, {}}, 0};
}

}  // namespace lockstep::cli
