// How ptxas would be asked to compile a kernel, and the registers that it would give it.
#pragma once
#include <cstdint>

#include "exec/engine.h"
#include "gpu/model.h"
#include "machine/view.h"
#include "ptx/ast.h"

namespace lockstep::session {

// `max_registers`: -maxrregcount, or 0.
machine::Options machine_options(const ptx::Module& module, std::uint32_t function, const gpu::GpuModel& gpu,
                                 int max_registers);

// An estimate; 0 where the kernel cannot be analysed.
std::uint32_t estimate_registers(const exec::Kernel& kernel, const gpu::GpuModel& gpu, int max_registers);

}  // namespace lockstep::session
