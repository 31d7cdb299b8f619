#include "measure/nvidia.h"

#include <fmt/format.h>

#include <sstream>

#include "base/trimmed.h"
#include "compile/toolchain.h"
#include "measure/ask-tool.h"

namespace lockstep::measure {
Result<std::vector<RealGpu>> parse_nvidia_gpus(const std::string& printed) {
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

Result<std::vector<RealGpu>> find_nvidia_gpus() {
    const auto program = compile::find_cuda_program("nvidia-smi");
    if (!program)
        return Error{"there is no NVIDIA GPU here: nvidia-smi, which comes with its driver, is not installed",
                     {}};
    auto told =
        ask_tool({program->string(), "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"});
    if (!told) return told.error();
    if (!told->status.ok())
        return Error{
            fmt::format("{} says: {}", program->string(), base::trimmed(told->output + told->errors)), {}};
    return parse_nvidia_gpus(told->output);
}

std::optional<Profiler> find_ncu() {
    const auto program = compile::find_cuda_program("ncu");
    if (!program) return {};
    Profiler profiler{*program, ""};
    if (auto told = ask_tool({program->string(), "--version"}); told && told->status.ok()) {
        const auto at = told->output.find("Version ");
        if (at != std::string::npos) {
            const std::string rest = told->output.substr(at + std::string("Version ").size());
            profiler.version = rest.substr(0, rest.find_first_of(" \n"));
        }
    }
    return profiler;
}

}  // namespace lockstep::measure
