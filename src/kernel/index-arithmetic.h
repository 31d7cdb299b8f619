// Which 32-bit arithmetic an address rests on by its sign: where the sum wraps round, the address is another.
#pragma once
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

// By block and instruction: it adds or multiplies 32-bit numbers whose result, or a sum of which, is extended
// with its sign and becomes part of an address. What comes to an address through a mask, a shift or a
// remainder is left out: hashes wrap, and are meant to.
std::vector<std::vector<bool>> index_arithmetic(const Function& function);

}  // namespace lockstep::kernel
