#include "compile/hard-coded-lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::compile {
namespace {

// Without comments and strings; lines stay where they are.
std::string only_code(std::string_view source) {
    std::string code(source);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to && i < code.size(); ++i)
            if (code[i] != '\n') code[i] = ' ';
    };
    for (std::size_t i = 0; i < code.size(); ++i) {
        const auto until = [&](std::string_view end, std::size_t from) {
            const std::size_t at = code.find(end, from);
            return at == std::string::npos ? code.size() : at + end.size();
        };
        std::size_t end = i;
        if (code.compare(i, 2, "//") == 0) {
            end = until("\n", i) - 1;
        } else if (code.compare(i, 2, "/*") == 0) {
            end = until("*/", i + 2);
        } else if (code[i] == '"') {
            for (end = i + 1; end < code.size() && code[end] != '"' && code[end] != '\n'; ++end)
                if (code[end] == '\\') ++end;
            ++end;
        } else {
            continue;
        }
        blank(i, end);
        i = end == i ? i : end - 1;
    }
    return code;
}

struct Pattern {
    std::regex expression;
    const char* what;
};

const std::vector<Pattern>& patterns() {
    // What a thread's or a lane's number is called, and the operations that make lane and warp of it.
    constexpr const char* number =
        R"(\b(?:threadIdx\s*\.\s*x|\w*(?:tid|Tid|thread|Thread|lane|Lane)\w*)\s*\)?\s*)";
    static const std::vector<Pattern> all = {
        {std::regex(std::string(number) + R"((?:%|/)\s*32[uU]?\b)"), "divides by 32"},
        {std::regex(std::string(number) + R"(&\s*(?:31|0x1[fF])[uU]?\b)"), "keeps five bits"},
        {std::regex(std::string(number) + R"(>>\s*5\b)"), "divides by 32"},
        {std::regex(R"(\b(?:warp|WARP|Warp|wave|WAVE|Wave)_?(?:size|SIZE|Size)\w*\s*=?\s*32\b)"),
         "calls 32 the size of a wavefront"},
        {std::regex(R"(\bfor\s*\([^;]*=\s*16\s*;[^;]*;[^)]*(?:>>=\s*1|/=\s*2)[^;{}]*[{]?[^;{}]*\b__shfl)"),
         "begins its exchanges with half of 32 lanes"},
    };
    return all;
}

}  // namespace

std::string hard_coded_lanes(const std::string& file, std::string_view source) {
    const std::string code = only_code(source);
    static const std::regex exchanges(R"(\b(?:__shfl|__ballot|__any|__all|__activemask|__match))");
    if (!std::regex_search(code, exchanges)) return "";
    std::set<std::pair<long, const char*>> found;
    for (const Pattern& pattern : patterns())
        for (std::sregex_iterator at(code.begin(), code.end(), pattern.expression), end; at != end; ++at)
            found.insert({1 + std::count(code.begin(), code.begin() + at->position(), '\n'), pattern.what});
    std::string text;
    for (const auto& [line, what] : found)
        text += fmt::format(
            "{}:{}: warning: this {}, and a wavefront of this GPU has 64 lanes: warpSize is its size\n", file,
            line, what);
    return text;
}

}  // namespace lockstep::compile
