#include "nvrtc/name-expressions.h"

#include <fmt/format.h>

#include <cctype>

namespace lockstep::nvrtc {
namespace {

constexpr const char* prefix = "__lockstep_name_";

// A name stands for its address. What begins otherwise is an expression of its own: `&v`, `(void (*)(int))f`.
std::string address_of(const std::string& expression) {
    std::size_t at = 0;
    while (at < expression.size() && std::isspace(static_cast<unsigned char>(expression[at]))) ++at;
    const bool is_name =
        at < expression.size() && (std::isalpha(static_cast<unsigned char>(expression[at])) ||
                                   expression[at] == '_' || expression[at] == ':');
    return (is_name ? "&" : "") + expression;
}

// generic(x) and x+0 are x.
std::string symbol_in(std::string_view initialiser) {
    constexpr std::string_view cast = "generic(";
    if (initialiser.starts_with(cast)) initialiser.remove_prefix(cast.size());
    return std::string(initialiser.substr(0, initialiser.find_first_of(")+; ")));
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

// _ZL1v is v, and _ZL1kPi is _Z1kPi. Others stay as they are.
std::string plain(const std::string& name) {
    constexpr std::string_view internal = "_ZL";
    if (!name.starts_with(internal)) return name;
    std::size_t length = 0, at = internal.size();
    while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) && length < name.size())
        length = length * 10 + static_cast<std::size_t>(name[at++] - '0');
    if (length == 0 || at + length > name.size()) return name;
    return at + length == name.size() ? name.substr(at) : "_Z" + name.substr(internal.size());
}

}  // namespace

std::string expression_variable(std::size_t i) { return fmt::format("{}{}", prefix, i); }

std::string instantiations(const std::vector<std::string>& expressions) {
    std::string text;
    for (std::size_t i = 0; i < expressions.size(); ++i)
        text += fmt::format(
            "#line {} \"name expression\"\nextern \"C\" __attribute__((used)) __device__ const void* const "
            "{}{} = "
            "(const void*)({}\n);\n",
            i + 1, prefix, i, address_of(expressions[i]));
    return text;
}

std::map<std::string, std::string> take_lowered_names(std::string& ptx,
                                                      const std::vector<std::string>& expressions) {
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const std::string begin = fmt::format("{}{} = ", prefix, i);
        const std::size_t at = ptx.find(begin);
        if (at == std::string::npos) continue;
        const std::size_t end = ptx.find('\n', at);
        names[expressions[i]] =
            symbol_in(std::string_view(ptx).substr(at + begin.size(), end - at - begin.size()));
        const std::size_t line = ptx.rfind('\n', at) + 1;
        ptx.erase(line, end - line + 1);
    }
    return names;
}

std::string with_plain_statics(const std::string& ptx) {
    std::string result;
    for (std::size_t at = 0; at < ptx.size();) {
        if (!in_name(ptx[at])) {
            result += ptx[at++];
            continue;
        }
        std::size_t end = at;
        while (end < ptx.size() && in_name(ptx[end])) ++end;
        result += plain(ptx.substr(at, end - at));
        at = end;
    }
    return result;
}

}  // namespace lockstep::nvrtc
