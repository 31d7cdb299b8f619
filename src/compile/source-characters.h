// Characters of C++ sources.
#pragma once
#include <cctype>

namespace lockstep::compile {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
inline bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

}  // namespace lockstep::compile
