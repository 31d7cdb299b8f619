// Modules by the language of their code, as Module::load has them.
#pragma once
#include "exec/engine.h"

namespace lockstep::exec {

Result<std::unique_ptr<Module>> load_ptx(std::span<const std::string_view> texts, std::string name,
                                         DeviceMemory& memory, const gpu::GpuModel& gpu,
                                         const Options& options, std::span<const Placement> placements);
// AMD's machine code.
Result<std::unique_ptr<Module>> load_gcn(std::span<const std::string_view> texts, std::string name,
                                         DeviceMemory& memory, const gpu::GpuModel& gpu,
                                         const Options& options, std::span<const Placement> placements);

}  // namespace lockstep::exec
