// Sentences on lines of a terminal's width.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::report {

// Characters, not bytes.
std::size_t columns_in(std::string_view text);

// Words on lines of `width`. The first line begins in column `first`, the others with `indent` spaces.
std::string wrapped(const std::string& text, std::size_t width, std::size_t first, std::size_t indent);

}  // namespace lockstep::report
