// Whether a text has a word: what stands before and behind it is no part of a name.
#pragma once
#include <cctype>
#include <string_view>

namespace lockstep::base {

inline bool has_word(std::string_view text, std::string_view word) {
    const auto in_name = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
    }
    return false;
}

}  // namespace lockstep::base
