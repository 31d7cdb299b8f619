// What a run file says of its run: of the GPU above all, and how far its predictions are known to be right.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "gpu/model.h"
#include "report/result.h"

namespace lockstep::report {

// Of a run that starts now.
RunInfo describe_run(const gpu::GpuModel& gpu, std::string lockstep_version, std::string command);

// "predictions not compared with a real one", or what was found, for code that comes from there.
std::string validation_text(const RunInfo& info, const CodeOrigin& code);

// Where the kernels' code comes from: each origin once.
std::vector<CodeOrigin> code_origins(std::span<const KernelResult> kernels);

// "NVIDIA H200 (h200; code of nvcc 13.0; predictions not compared with a real one)". A program may have code
// of several compilers.
std::string gpu_text(const RunInfo& info, std::span<const KernelResult> kernels);

}  // namespace lockstep::report
