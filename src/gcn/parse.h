// Reads AMDGCN assembly as LLVM writes it.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "gcn/module.h"

namespace lockstep::gcn {

// Whether a text is such assembly, by its first directives.
bool is_assembly(std::string_view text);

// The compiler that made it, as it says itself; "an unknown compiler" where it does not.
std::string producer_of(std::string_view text);

// `name`: what messages call the text.
Result<Module> parse(std::string_view text, std::string name);

// One instruction's line, without comments: for tests, and for what is disassembled.
// One instruction, or the two halves of a pair, in an order in which neither reads what the other has
// written.
Result<std::vector<Instruction>> parse_instructions(std::string_view text);
Result<Instruction> parse_instruction(std::string_view text);

}  // namespace lockstep::gcn
