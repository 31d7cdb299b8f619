// Which instructions LLVM has made of integer divisions, for which AMD's GPUs have none.
#pragma once
#include <vector>

#include "gcn/module.h"

namespace lockstep::timing {

// By instruction: whether it is a vector instruction of a division or remainder of 32 bits.
std::vector<bool> divisions_in(const gcn::Code& code);

}  // namespace lockstep::timing
