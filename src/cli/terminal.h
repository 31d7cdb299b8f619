// Where output goes.
#pragma once
#include <cstddef>

namespace lockstep::cli {

// Of the terminal, or what COLUMNS says; 100 where neither is known.
std::size_t terminal_width();

// Standard output is a terminal that shows them, and nobody forbids it (NO_COLOR).
bool terminal_has_colours();

}  // namespace lockstep::cli
