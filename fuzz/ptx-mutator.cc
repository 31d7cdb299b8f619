#include "fuzz/ptx-mutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <vector>

namespace lockstep::fuzz {
namespace {

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Where each word of letters, digits, '_', '%' and '$' begins and ends.
std::vector<std::pair<std::size_t, std::size_t>> words(const std::string& line) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    auto in_word = [&](std::size_t i) {
        const auto c = static_cast<unsigned char>(line[i]);
        return std::isalnum(c) || c == '_' || c == '%' || c == '$';
    };
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t begin = i;
        while (i < line.size() && in_word(i)) ++i;
        if (i > begin)
            found.emplace_back(begin, i);
        else
            ++i;
    }
    return found;
}

}  // namespace

std::string mutate_ptx(std::string_view text, std::uint32_t seed) {
    std::minstd_rand random(seed);
    auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    std::vector<std::string> lines = split(text);
    if (lines.empty()) return std::string(text);
    auto any = [&] { return lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size())); };
    static constexpr std::array numbers = {"0",
                                           "1",
                                           "-1",
                                           "31",
                                           "32",
                                           "33",
                                           "64",
                                           "255",
                                           "65536",
                                           "0x7fffffff",
                                           "-2147483648",
                                           "4294967295",
                                           "0xffffffffffffffff"};
    for (std::size_t n = 1 + below(3); n > 0; --n) {
        const auto at = any();
        switch (below(6)) {
            case 0:
                if (lines.size() > 1) lines.erase(at);
                break;
            case 1: lines.insert(at, std::string(*any())); break;
            case 2: std::swap(*at, *any()); break;
            case 3: *at = *any(); break;
            default: {  // a word: another word of the text, or a number
                const auto places = words(*at);
                if (places.empty()) break;
                const auto [begin, end] = places[below(places.size())];
                const std::string other = *any();
                const auto choices = words(other);
                std::string with;
                if (std::isdigit(static_cast<unsigned char>((*at)[begin])))
                    with = numbers[below(numbers.size())];
                else if (!choices.empty())
                    with = other.substr(choices.back().first, choices.back().second - choices.back().first);
                at->replace(begin, end - begin, with);
            }
        }
    }
    std::string result;
    for (const std::string& line : lines) (result += line) += '\n';
    return result;
}

}  // namespace lockstep::fuzz
