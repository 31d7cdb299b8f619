#include "compile/respelled-lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "compile/source-characters.h"

namespace lockstep::compile {
namespace {

struct Line {
    std::size_t begin, end;  // in the text
};

Line line_in(const std::string& text, int number) {
    std::size_t begin = 0;
    for (int n = 1; n < number && begin < text.size(); ++n)
        begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    return {begin, std::min(text.find('\n', begin), text.size())};
}

std::string_view without_blanks_around(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// `TYPE NAME[…]…`, as one declares one variable without an initialiser. Empty: it is something else.
struct Declaration {
    std::string_view type, name, bounds;
};

Declaration declaration_of(std::string_view text) {
    constexpr std::string_view others[] = {"alignas", "__align__", "__attribute__", "static"};
    for (const std::string_view word : others)
        if (text.find(word) != std::string_view::npos) return {};
    int depth = 0;
    for (const char c : text) {
        if (c == '<' || c == '(' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == ']') --depth;
        if (c == '=' || c == '{' || (c == ',' && depth == 0)) return {};
    }
    text = without_blanks_around(text);
    std::size_t end = text.size();
    while (end > 0 && text[end - 1] == ']') {
        end = text.rfind('[', end - 1);
        if (end == std::string_view::npos) return {};
        while (end > 0 && is_blank(text[end - 1])) --end;
    }
    std::size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    const std::string_view type = without_blanks_around(text.substr(0, begin));
    if (type.empty() || begin == end) return {};
    return {type, text.substr(begin, end - begin), text.substr(end)};
}

}  // namespace

std::string free_alignas(std::string text, int line) {
    constexpr std::string_view word = "alignas";
    const Line place = line_in(text, line);
    for (std::size_t at = place.begin; at < text.size() && text[at] != '\n'; ++at) {
        if (text.compare(at, word.size(), word) != 0 || (at > 0 && is_word(text[at - 1]))) continue;
        text.replace(at, word.size(), "_Alignas");
        at += word.size();
    }
    return text;
}

std::string separate_operands(std::string text, int line) {
    const Line place = line_in(text, line);
    for (std::size_t at = text.find('"', place.begin); at < place.end; at = text.find('"', at + 1)) {
        std::size_t before = at;
        while (before > 0 && is_blank(text[before - 1])) --before;
        if (before > 0 && text[before - 1] == ')') return text.insert(before, ",");
    }
    return text;
}

std::string store_shared(std::string text, int line) {
    constexpr std::string_view word = "__shared__";
    const Line place = line_in(text, line);
    const std::size_t at = text.rfind(word, place.end);
    const std::size_t end = text.find(';', at == std::string::npos ? place.begin : at);
    if (at == std::string::npos || end == std::string::npos || end < place.begin) return text;
    const std::size_t begin = at + word.size();
    const Declaration found = declaration_of(std::string_view(text).substr(begin, end - begin));
    if (found.name.empty()) return text;
    const std::string spelled = fmt::format(
        " ::lockstep_shared::Storage<{} {}> lockstep_shared_{}; auto& {} = lockstep_shared_{}.object()",
        found.type, found.bounds, found.name, found.name, found.name);
    return text.replace(begin, end - begin, spelled);
}

}  // namespace lockstep::compile
