// A line of a file without the blanks around it.
#pragma once
#include <string>

namespace lockstep::base {

// What ends a line on other systems is a blank, too.
inline std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace lockstep::base
