// What commands print, where the user wants it.
#pragma once
#include <string>

namespace lockstep::cli {

// Writes to a file, or to stdout if it is "-". The exit status: 0, or 1 with a message.
int write_output(const std::string& file, const std::string& text);

}  // namespace lockstep::cli
