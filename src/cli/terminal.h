// Where output goes.
#pragma once
#include <cstddef>

namespace lockstep::cli {

// Of the terminal, or what COLUMNS says; 100 where neither is known.
std::size_t terminal_width();

}  // namespace lockstep::cli
