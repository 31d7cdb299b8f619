// The registers in which the lanes of a warp hold a matrix: how many, and of which type.
#pragma once
#include <string_view>

#include "ptx/ast.h"

namespace lockstep::ptx {

// Which matrix of the product d = a * b + c.
enum class MatrixRole : std::uint8_t { a, b, c, d };

struct Fragment {
    MatrixRole role{};
    Type element = Type::none;
    int registers = 0;                // of a lane
    Type register_type = Type::none;  // what they are declared as
};

// The fragment that the operand of this name in the instruction's row is.
Fragment fragment_of(const Instruction& instruction, std::string_view operand);

}  // namespace lockstep::ptx
