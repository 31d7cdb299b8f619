// Registers that hold one constant from end to end: nvcc moves the bounds of a shuffle and the mask of a warp
// function to registers first.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

using Constants = std::vector<std::optional<std::uint32_t>>;  // by register: its low half

Constants constant_registers(const Function& function);

// The value of an operand that is the same whenever it is read: written out, or moved to a register once.
std::optional<std::uint32_t> constant_of(const ptx::Operand& operand, const Constants& registers);

}  // namespace lockstep::kernel
