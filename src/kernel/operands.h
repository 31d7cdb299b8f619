// Which operands of an instruction are written, and the parts of a call.
#pragma once
#include <cstddef>

#include "ptx/ast.h"

namespace lockstep::kernel {

struct CallOperands {
    const ptx::Operand* returns = nullptr;  // list
    const ptx::Operand* callee = nullptr;   // function or register
    const ptx::Operand* args = nullptr;     // list
};

CallOperands call_operands(const ptx::Instruction& call);

// Whether operand `index` is (or holds) registers that the instruction writes.
bool is_destination(const ptx::Instruction& instruction, std::size_t index);

// .v2 → 2 …; 1 where there is none.
int vector_count(const ptx::Instruction& instruction);

}  // namespace lockstep::kernel
