// How many bytes an instruction of AMD's machine code takes, by the encodings of its manual.
#pragma once
#include <cstdint>

#include "gcn/module.h"

namespace lockstep::gcn {

// Of the second half of a pair: none, they are the first one's.
std::uint32_t encoded_bytes(const Instruction& instruction);

}  // namespace lockstep::gcn
