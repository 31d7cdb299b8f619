// What the values of options must be, where several commands have such an option.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>

namespace lockstep::cli {

// For `Option::check`: what is wrong, or nothing.

// A script's variable that is not set must not mean that nothing is written.
inline std::string file_name(const std::string& text) {
    return text.empty() ? "the name of the file is empty" : "";
}

inline std::string count_of_launches(const std::string& text) {
    constexpr std::size_t most_digits = 18;
    const bool good = !text.empty() && text.size() <= most_digits &&
                      std::all_of(text.begin(), text.end(),
                                  [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    return good ? "" : text + " is no number of launches";
}

}  // namespace lockstep::cli
