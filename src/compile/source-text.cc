#include "compile/source-text.h"

#include <algorithm>
#include <cctype>

#include "compile/source-characters.h"

namespace lockstep::compile {
namespace {

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n\r\\");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n\r\\") - first + 1);
}

// The word that ends before `end`, blanks left out.
std::string_view word_before(std::string_view code, std::size_t end) {
    while (end > 0 && std::isspace(static_cast<unsigned char>(code[end - 1]))) --end;
    std::size_t begin = end;
    while (begin > 0 && is_word(code[begin - 1])) --begin;
    return code.substr(begin, end - begin);
}

// Where the macro's text ends: at a line's end that no backslash continues.
std::size_t end_of_macro(std::string_view code, std::size_t at) {
    for (;; ++at) {
        at = code.find('\n', at);
        if (at == code.npos) return code.size();
        if (at == 0 || code[at - 1] != '\\') return at;
    }
}

}  // namespace

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

std::size_t behind_closing(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        if (code[i] == '(' || code[i] == '{' || code[i] == '[') ++depth;
        if ((code[i] == ')' || code[i] == '}' || code[i] == ']') && --depth == 0) return i + 1;
    }
    return code.size();
}

std::vector<std::string_view> arguments_at(std::string_view code, std::size_t open) {
    const std::size_t end = behind_closing(code, open);
    if (end == code.size() && (end == 0 || code[end - 1] != ')')) return {};
    std::vector<std::string_view> arguments;
    std::size_t begin = open + 1;
    int depth = 0;
    for (std::size_t i = open; i < end; ++i) {
        if (code[i] == '(' || code[i] == '{' || code[i] == '[') ++depth;
        if (code[i] == ')' || code[i] == '}' || code[i] == ']') --depth;
        if (depth == 0 || (depth == 1 && code[i] == ',')) {
            arguments.push_back(without_blanks(code.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return arguments;
}

std::vector<FunctionText> functions_in(std::string_view code) {
    std::vector<FunctionText> functions;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '#') {
            const std::size_t end = end_of_macro(code, i);
            std::string_view line = code.substr(i + 1, end - i - 1);
            line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
            if (line.starts_with("define")) {
                const std::size_t name = line.find_first_not_of(" \t", 6);
                std::size_t behind = name;
                while (behind < line.size() && is_word(line[behind])) ++behind;
                if (behind < line.size() && line[behind] == '(')
                    functions.push_back({std::string(line.substr(name, behind - name)),
                                         static_cast<std::size_t>(line.data() - code.data()) + behind, end});
            }
            i = end;
            continue;
        }
        if (code[i] != '{') continue;
        // … name(parameters) const {
        std::size_t before = i;
        while (before > 0 &&
               (std::isspace(static_cast<unsigned char>(code[before - 1])) ||
                word_before(code, before) == "const" || word_before(code, before) == "noexcept"))
            before = std::isspace(static_cast<unsigned char>(code[before - 1]))
                         ? before - 1
                         : before - word_before(code, before).size();
        if (before == 0 || code[before - 1] != ')') continue;  // a namespace, a struct: look inside
        int depth = 0;
        std::size_t open = before;
        while (open > 0) {
            --open;
            if (code[open] == ')') ++depth;
            if (code[open] == '(' && --depth == 0) break;
        }
        const std::size_t end = behind_closing(code, i);
        functions.push_back({std::string(word_before(code, open)), i, end});
        i = end - 1;
    }
    return functions;
}

}  // namespace lockstep::compile
