// Which operands of an instruction are written, and the parts of a call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

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

// Whether shfl takes values from lanes of the whole warp by their numbers, so that lanes which name the same
// one get the same value. `bounds`: operand c, where it is known.
bool picks_any_lane(const ptx::Instruction& shuffle, std::optional<std::uint32_t> bounds);

}  // namespace lockstep::kernel
