#include "cli/tool-options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest.h"
#include "cli/command.h"

namespace lockstep::cli {
namespace {

bool is_option(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

}  // namespace

const ToolOption* ToolOptions::find(const std::string& argument, std::optional<std::string>& value) const {
    const bool is_long = argument.rfind("--", 0) == 0;
    std::string name = argument.substr(is_long ? 2 : 1);
    if (const std::size_t equals = name.find('='); is_long && equals != std::string::npos) {
        value = name.substr(equals + 1);
        name.erase(equals);
    }
    for (const ToolOption& option : options_)
        if (!name.empty() && name == (is_long ? option.name : option.short_name)) return &option;
    return nullptr;
}

std::string ToolOptions::unknown(const std::string& argument) const {
    std::vector<std::string> names;
    for (const ToolOption& option : options_)
        if (*option.name) names.push_back(std::string("--") + option.name);
    auto near = nearest(argument, names);
    if (near.size() > 2) near.resize(2);
    return fmt::format("{0}: unknown option {1}{2} (see lockstep {0} --help)", tool_, argument,
                       near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or ")));
}

std::optional<int> ToolOptions::parse_one(const std::vector<std::string>& arguments, std::size_t& i,
                                          const Apply& apply) const {
    std::optional<std::string> value;
    const std::string& argument = arguments[i++];
    const ToolOption* option = find(argument, value);
    if (!option) return fail(unknown(argument), 2);
    if (*option->lacking)
        return fail(fmt::format("{}: {} is not supported: {}", tool_, argument, option->lacking), 2);
    if (option->takes_value && !value) {
        if (i == arguments.size()) return fail(fmt::format("{}: {} needs a value", tool_, argument), 2);
        value = arguments[i++];
    }
    return apply(*option, value.value_or(""));
}

std::optional<int> ToolOptions::parse_up_to_program(const std::vector<std::string>& arguments,
                                                    const Apply& apply,
                                                    std::vector<std::string>& rest) const {
    std::size_t i = 0;
    while (i < arguments.size() && is_option(arguments[i])) {
        if (arguments[i] == "--") {
            ++i;
            break;
        }
        if (const auto status = parse_one(arguments, i, apply)) return status;
    }
    rest.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
    return {};
}

std::optional<int> ToolOptions::parse_all(const std::vector<std::string>& arguments, const Apply& apply,
                                          std::vector<std::string>& rest) const {
    for (std::size_t i = 0; i < arguments.size();) {
        if (!is_option(arguments[i]))
            rest.push_back(arguments[i++]);
        else if (const auto status = parse_one(arguments, i, apply))
            return status;
    }
    return {};
}

std::string ToolOptions::help() const {
    std::string text;
    for (const ToolOption& option : options_) {
        if (!*option.text) continue;
        std::string names = *option.short_name ? fmt::format("-{}", option.short_name) : "";
        if (*option.name) names += fmt::format("{}--{}", names.empty() ? "" : ", ", option.name);
        text += fmt::format("  {:<28} {}\n", names + (option.takes_value ? " X" : ""), option.text);
    }
    return text;
}

}  // namespace lockstep::cli
