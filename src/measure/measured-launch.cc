#include "measure/measured-launch.h"

#include <cctype>

namespace lockstep::measure {

std::string spelled(std::string_view kernel) {
    // A blank stands between words alone.
    const auto in_word = [](char c) {
        return c == '_' || c == '$' || std::isalnum(static_cast<unsigned char>(c));
    };
    std::string result;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        if (kernel[i] != ' ') {
            result += kernel[i];
            continue;
        }
        const char before = result.empty() ? ' ' : result.back();
        const char after = i + 1 < kernel.size() ? kernel[i + 1] : ' ';
        if (in_word(before) && in_word(after)) result += ' ';
    }
    return result;
}

}  // namespace lockstep::measure
