// Reads the notation of instructions.def (see table.h) into rows.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/table.h"

namespace lockstep::ptx {

// Aborts, naming the row, on text that is not in the notation.
Row read_syntax(Opcode opcode, Family family, bool implemented, std::string_view text);

// The named choices of words.def: {"rnd", "rn|rz|rm|rp"} …
std::vector<std::pair<std::string_view, std::string_view>> word_sets();

}  // namespace lockstep::ptx
