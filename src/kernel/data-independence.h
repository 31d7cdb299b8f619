// Kernels that do the same whatever their data are: which ways their threads go, and what they access,
// follows from the launch's shape and parameters. Most of linear algebra is so, and most of what runs in
// loops.
#pragma once
#include <vector>

#include "kernel/kernel.h"

namespace lockstep::kernel {

// Whether that can be shown: nothing that is read from memory, and nothing that depends on when threads run,
// decides a branch or a guard, is part of an address, or an operand that may need a slow way. Two launches of
// one shape with the same parameters then make the same records.
bool is_data_independent(const Kernel& kernel);

// Whether an instruction's results are the same for the same operands, in every launch of a shape.
bool follows_from_operands(const Function& function, const ptx::Instruction& instruction);
// Those of its registers of which addresses are made, and others that decide what it does, beside what it
// computes.
std::vector<RegId> address_registers(const Function& function, const ptx::Instruction& instruction);
std::vector<RegId> deciding_registers(const ptx::Instruction& instruction);

}  // namespace lockstep::kernel
