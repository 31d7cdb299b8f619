#include "report/wrapped-text.h"

#include <algorithm>

namespace lockstep::report {

std::size_t columns_in(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t first, std::size_t indent) {
    std::string result;
    std::size_t used = first;
    for (std::size_t begin = 0; (begin = text.find_first_not_of(" \n", begin)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!result.empty()) {
            const bool fits = used + 1 + columns_in(word) <= width;
            result += fits ? " " : "\n" + std::string(indent, ' ');
            used = fits ? used + 1 : indent;
        }
        result += word;
        used += columns_in(word);
        begin = end;
    }
    return result;
}

}  // namespace lockstep::report
