#include "base/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace lockstep::base {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

// Where the type that ends at `end` begins: after the bracket or comma that opens its place in a list.
std::size_t type_begin(const std::string& text, std::size_t end) {
    int depth = 0;
    for (std::size_t i = end; i-- > 0;) {
        const char c = text[i];
        if (c == '>' || c == ')' || c == ']') ++depth;
        if (c == '<' || c == '(' || c == '[') {
            if (depth == 0) return i + 1;
            --depth;
        }
        if (depth == 0 && c == ',') return text[i + 1] == ' ' ? i + 2 : i + 1;
    }
    return 0;
}

// "float const*" becomes "const float*"; a const after the star belongs to the pointer, and stays.
void move_qualifiers(std::string& text) {
    for (const std::string word : {"volatile", "const"}) {
        const std::string mark = " " + word;
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
            const std::size_t after = at + mark.size();
            if (at == 0 || text[at - 1] == '*' || (after < text.size() && is_word(text[after]))) {
                at = after;
                continue;
            }
            const std::size_t begin = type_begin(text, at);
            text.erase(at, mark.size());
            text.insert(begin, word + " ");
            at = after;
        }
    }
}

// "int*" becomes "int *", "int**" becomes "int **".
std::string space_pointers(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if ((c == '*' || c == '&') && !result.empty() && (is_word(result.back()) || result.back() == '>'))
            result += ' ';
        // "* const" is written "*const".
        if (c == ' ' && !result.empty() && result.back() == '*') continue;
        result += c;
    }
    return result;
}

// Template arguments "512u" and "3ul" lose their suffixes.
std::string drop_suffixes(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        const bool starts = std::isdigit(static_cast<unsigned char>(text[i])) &&
                            (i == 0 || !is_word(text[i - 1])) &&
                            (i > 0 && (text[i - 1] == '<' || text[i - 1] == ' ' || text[i - 1] == '-'));
        if (!starts) continue;
        while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])))
            result += text[++i];
        while (i + 1 < text.size() && (text[i + 1] == 'u' || text[i + 1] == 'l')) ++i;
    }
    return result;
}

std::size_t digits_end(const std::string& text, std::size_t at) {
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
    return at;
}

// Where a number of the mangling's base 36 and its "_" end; npos where that is not what stands there.
std::size_t sequence_end(const std::string& text, std::size_t at) {
    while (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) ||
                                std::isupper(static_cast<unsigned char>(text[at]))))
        ++at;
    return at < text.size() && text[at] == '_' ? at + 1 : std::string::npos;
}

// A mangled name in which types that are template parameters are classes called T1, T2 …: the profilers do
// not write a template's arguments into its parameter list. Both forms count alike as substitutions (S0_ …),
// so that the rest of the name stays right. Names that this does not understand become no name at all.
std::string name_parameters(const std::string& mangled) {
    std::string result;
    for (std::size_t i = 0; i < mangled.size();) {
        const char c = mangled[i];
        std::size_t end = i + 1;
        if (std::isdigit(static_cast<unsigned char>(c))) {
            end = digits_end(mangled, i);
            end += std::strtoul(mangled.c_str() + i, nullptr, 10);
        } else if (c == 'L' && i + 2 < mangled.size() &&
                   std::islower(static_cast<unsigned char>(mangled[i + 1]))) {
            end = digits_end(mangled, mangled[i + 2] == 'n' ? i + 3 : i + 2);
            if (mangled[i + 1] == 'b') {  // the profilers write true as 1
                result += "Li";
                i += 2;
            }
        } else if (c == 'A') {
            end = digits_end(mangled, i + 1);
        } else if (c == 'S') {
            end = i + 2;
            if (const std::size_t after = sequence_end(mangled, i + 1); after != std::string::npos)
                end = after;
        } else if (const std::size_t after = sequence_end(mangled, i + 1);
                   c == 'T' && after != std::string::npos) {
            const std::string number = mangled.substr(i + 1, after - i - 2);
            const std::string name =
                "T" + std::to_string(number.empty() ? 1 : std::stoul(number, nullptr, 36) + 2);
            result += std::to_string(name.size()) + name;
            i = after;
            continue;
        }
        if (end > mangled.size()) return "";
        result += mangled.substr(i, end - i);
        i = end;
    }
    return result;
}

}  // namespace

std::string demangle(const std::string& mangled) {
    // The library takes other names for types: "f" is float.
    if (mangled.rfind("_Z", 0) != 0) return mangled;
    // What clang adds to a HIP file's own names, so that others can have the same.
    std::size_t end = mangled.size();
    for (const std::string_view mark : {".intern.", ".static."}) end = std::min(end, mangled.find(mark));
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(mangled.substr(0, end).c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text ? std::string(text.get()) : mangled;
}

std::string kernel_name(const std::string& mangled) {
    if (mangled.rfind("_Z", 0) != 0) return mangled;
    const std::string renamed = name_parameters(mangled);
    std::string name = demangle(renamed);
    if (name == renamed) name = demangle(mangled);
    replace_all(name, "(anonymous namespace)", "<unnamed>");
    while (name.find("> >") != std::string::npos) replace_all(name, "> >", ">>");
    replace_all(name, ") [", ")[");
    move_qualifiers(name);
    return drop_suffixes(space_pointers(name));
}

std::string short_kernel_name(const std::string& kernel) {
    // The parameter list is the last bracketed part; a template argument may hold brackets too.
    int depth = 0;
    std::size_t end = kernel.size();
    if (!kernel.empty() && kernel.back() == ')')
        for (std::size_t i = kernel.size(); i-- > 0;) {
            if (kernel[i] == ')') ++depth;
            if (kernel[i] == '(' && --depth == 0) {
                end = i;
                break;
            }
        }
    std::size_t begin = 0;
    depth = 0;
    for (std::size_t i = 0; i < end; ++i) {
        if (kernel[i] == '<') ++depth;
        if (kernel[i] == '>') --depth;
        if (kernel[i] == ' ' && depth == 0) begin = i + 1;
    }
    return kernel.substr(begin, end - begin);
}

std::string short_function_name(std::string_view function) {
    // Behind the parameters.
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view qualifier : {" const", " volatile", "&", " noexcept", " "})
            if (function.ends_with(qualifier)) {
                function.remove_suffix(qualifier.size());
                again = true;
            }
    }
    int depth = 0;
    if (function.ends_with(')'))
        for (std::size_t i = function.size(); i-- > 0;) {
            if (function[i] == ')') ++depth;
            if (function[i] == '(' && --depth == 0) {
                function = function.substr(0, i);
                break;
            }
        }
    // What a template returns stands before its name. An operator's name may hold brackets and spaces.
    std::size_t begin = 0;
    depth = 0;
    for (std::size_t i = 0; i < function.size(); ++i) {
        const char c = function[i];
        if (depth == 0 && function.substr(i).starts_with("operator")) break;
        if (c == '<' || c == '(' || c == '{') ++depth;
        if (c == '>' || c == ')' || c == '}') --depth;
        if (c == ' ' && depth == 0) begin = i + 1;
    }
    return std::string(function.substr(begin));
}

std::string function_name(const std::string& kernel) {
    const std::string name = short_kernel_name(kernel);
    const std::string whole = name.substr(0, name.find('<'));
    const std::size_t scope = whole.rfind("::");
    return scope == std::string::npos ? whole : whole.substr(scope + 2);
}

std::optional<KernelNames> kernel_names(std::string_view word) {
    if (word.empty() || word == "demangled") return KernelNames::demangled;
    if (word == "qualified") return KernelNames::qualified;
    if (word == "function") return KernelNames::function;
    if (word == "mangled") return KernelNames::mangled;
    return std::nullopt;
}

std::string chosen_name(const std::string& kernel, KernelNames names) {
    if (names == KernelNames::qualified) return short_kernel_name(kernel);
    return names == KernelNames::function ? function_name(kernel) : kernel;
}

bool is_internal_name(std::string_view mangled) {
    if (mangled.find("_GLOBAL__N_") != std::string_view::npos) return true;
    if (!mangled.starts_with("_Z")) return false;
    mangled.remove_prefix(2);
    const bool nested = mangled.starts_with('N');
    if (nested) mangled.remove_prefix(1);
    // In the name's path, a name with internal linkage has an L before it: _ZL1x, _ZN5space1xE and
    // _ZN5spaceL1xE.
    while (!mangled.empty()) {
        if (mangled[0] == 'L') return true;
        if (std::isdigit(static_cast<unsigned char>(mangled[0]))) {
            std::size_t length = 0, digits = 0;
            for (; digits < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[digits]));
                 ++digits)
                length = std::min<std::size_t>(length * 10 + static_cast<std::size_t>(mangled[digits] - '0'),
                                               mangled.size());
            mangled.remove_prefix(std::min(digits + length, mangled.size()));
        } else if (mangled.starts_with("St")) {
            mangled.remove_prefix(2);
        } else {
            return false;
        }
        if (!nested) return false;
    }
    return false;
}

}  // namespace lockstep::base
