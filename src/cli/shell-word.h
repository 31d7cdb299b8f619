// Text as one word of a shell.
#pragma once
#include <string>

namespace lockstep::cli {

// In single quotes, which fish takes as well.
inline std::string shell_word(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

}  // namespace lockstep::cli
