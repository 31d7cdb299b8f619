// The text of one instruction, cut into operands and modifiers.
#pragma once
#include <optional>
#include <string_view>

#include "base/result.h"
#include "gcn/module.h"

namespace lockstep::gcn {

std::string_view trimmed(std::string_view text);
// 12, -3, 0x1f; nothing where it is no whole number.
std::optional<std::int64_t> whole_number(std::string_view text);

// The operands and modifiers behind the name; an error where one is none of these.
Result<void> read_operands(std::string_view text, Instruction& instruction);

}  // namespace lockstep::gcn
