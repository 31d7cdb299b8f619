// Accesses of memory by lane, once their addresses are known: what vector memory and the LDS share.
#pragma once
#include <optional>
#include <string_view>

#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {

// What an instruction's name ends with: dword, ubyte, short_d16_hi, b64 …
std::optional<MemoryForm> form_of(std::string_view type);

// `address`: 64 bits for each lane, as the form's space counts them. `first`: of several words, the register
// that the first one belongs to.
void access_load(Emitter& e, const gcn::Instruction& inst, const MemoryForm& form, llvm::Value* address,
                 const gcn::Operand& to, int first = 0);
void access_store(Emitter& e, const gcn::Instruction& inst, const MemoryForm& form, llvm::Value* address,
                  const gcn::Operand& from);
// The result, if the form has one, goes to the instruction's first operand. `compared`: cmpswap's other
// operand, where it is one of its own.
void access_atomic(Emitter& e, const gcn::Instruction& inst, const MemoryForm& form, llvm::Value* address,
                   const gcn::Operand& operand, const gcn::Operand* compared = nullptr);

}  // namespace lockstep::exec::wave
