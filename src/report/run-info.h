// What a run file says of its run: of the GPU above all, and how far its predictions are known to be right.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "gpu/model.h"
#include "report/result.h"

namespace lockstep::report {

// Of a run that starts now.
RunInfo describe_run(std::span<const gpu::GpuModel* const> gpus, std::string lockstep_version,
                     std::string command);

// "NVIDIA H200 (0)": as nvprof names a device.
std::string device_text(const RunInfo& info, int device);
// ", device 1", where there are several.
std::string device_note(const RunInfo& info, int device);

// " (estimated from 2914 of 32768 blocks)", where not all blocks were executed.
std::string sample_note(const SampledLaunches& sampled);

// Where a run's times come from: "predicted" or "measured".
const char* times_are(const RunInfo& info);

// "predictions not compared with a real one", or what was found, for code that comes from there.
std::string validation_text(const DeviceInfo& device, const CodeOrigin& code);

// Where the kernels' code comes from: each origin once.
std::vector<CodeOrigin> code_origins(std::span<const KernelResult> kernels);

// "NVIDIA H200 (h200; code of nvcc 13.0; predictions not compared with a real one)". A program may have code
// of several compilers. Several devices are named one after the other.
std::string gpu_text(const RunInfo& info, std::span<const KernelResult> kernels);

}  // namespace lockstep::report
