#include "measure/nvidia.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "base/trimmed.h"
#include "compile/files.h"
#include "compile/process.h"
#include "compile/toolchain.h"
#include "gpu/model.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;

Result<compile::Finished> ask(const compile::Arguments& command) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    return compile::run(command, scratch->path());
}

}  // namespace

int RealGpu::capability() const {
    int major = 0, minor = 0;
    const char* const end = compute_capability.data() + compute_capability.size();
    const auto [dot, error] = std::from_chars(compute_capability.data(), end, major);
    if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, minor);
    return major * 10 + minor;
}

Result<std::vector<RealGpu>> parse_gpus(const std::string& printed) {
    std::vector<RealGpu> gpus;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(base::trimmed(cell));
        if (cells.size() == 3 && !cells[0].empty()) gpus.push_back({cells[0], cells[1], cells[2]});
    }
    if (gpus.empty())
        return Error{fmt::format("nvidia-smi names no GPU of this machine: {}",
                                 base::trimmed(printed.substr(0, printed.find('\n')))),
                     {}};
    return gpus;
}

Result<std::vector<RealGpu>> find_gpus() {
    const auto program = compile::find_cuda_program("nvidia-smi");
    if (!program)
        return Error{"there is no NVIDIA GPU here: nvidia-smi, which comes with its driver, is not installed",
                     {}};
    auto told =
        ask({program->string(), "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"});
    if (!told) return told.error();
    if (!told->status.ok())
        return Error{
            fmt::format("{} says: {}", program->string(), base::trimmed(told->output + told->errors)), {}};
    return parse_gpus(told->output);
}

std::optional<Profiler> find_ncu() {
    const auto program = compile::find_cuda_program("ncu");
    if (!program) return {};
    Profiler profiler{*program, ""};
    if (auto told = ask({program->string(), "--version"}); told && told->status.ok()) {
        const auto at = told->output.find("Version ");
        if (at != std::string::npos) {
            const std::string rest = told->output.substr(at + std::string("Version ").size());
            profiler.version = rest.substr(0, rest.find_first_of(" \n"));
        }
    }
    return profiler;
}

std::string model_of(const RealGpu& gpu, const fs::path& models) {
    for (const std::string& id : gpu::list_models(models))
        if (auto model = gpu::find_model(id, models, {}); model && model->name == gpu.name) return id;
    return "";
}

}  // namespace lockstep::measure
