// Where a kernel's parameters lie.
#pragma once
#include <cstdint>

#include "kernel/ir.h"

namespace lockstep::kernel {

// Whether the instruction of an entry function loads from its parameters, and from which byte of them.
bool is_parameter_load(const ptx::Instruction& instruction);
std::uint64_t parameter_offset(const Function& entry, const ptx::Instruction& load);

}  // namespace lockstep::kernel
