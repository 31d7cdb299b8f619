#include "cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/shell-word.h"

namespace lockstep::cli {
namespace {

// On one line.
std::string shell_quoted(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return shell_word(text);
}

std::vector<std::string> names_of(const std::vector<DescribedCommand>& commands) {
    std::vector<std::string> names;
    for (const DescribedCommand& command : commands) names.push_back(command.name);
    return names;
}

std::vector<std::string> names_of(const std::vector<DescribedOption>& options) {
    std::vector<std::string> names;
    for (const DescribedOption& option : options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::string bash(const std::vector<DescribedCommand>& commands, const std::vector<std::string>& models) {
    std::string text =
        "# bash completion for lockstep\n_lockstep() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
    text += fmt::format("        COMPREPLY=($(compgen -W {} -- \"$cur\"))\n        return\n    fi\n",
                        shell_quoted(fmt::format("{} --help --version", fmt::join(names_of(commands), " "))));
    text += fmt::format(
        "    if [ \"$prev\" = --gpu ]; then\n        COMPREPLY=($(compgen -W {} -- \"$cur\"))\n        "
        "return\n    fi\n",
        shell_quoted(fmt::format("{}", fmt::join(models, " "))));
    text += "    case ${COMP_WORDS[1]} in\n";
    for (const DescribedCommand& command : commands)
        text += fmt::format("        {}) options={} ;;\n", command.name,
                            shell_quoted(fmt::format("{}", fmt::join(names_of(command.options), " "))));
    text += fmt::format("        help) options={} ;;\n",
                        shell_quoted(fmt::format("{}", fmt::join(names_of(commands), " "))));
    return text +
           "    esac\n    if [ \"${COMP_WORDS[1]}\" = help ] || [ \"${cur#-}\" != \"$cur\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n    fi\n}\n"
           "complete -o default -o bashdefault -F _lockstep lockstep\n";
}

// A description must not hold what zsh reads as the end of one.
std::string zsh_words(std::string text) {
    for (char& c : text)
        if (c == '[' || c == ']' || c == ':') c = ' ';
    return text;
}

std::string zsh(const std::vector<DescribedCommand>& commands, const std::vector<std::string>& models) {
    std::string text =
        "#compdef lockstep\n_lockstep() {\n    if (( CURRENT == 2 )); then\n        local -a commands=(\n";
    for (const DescribedCommand& command : commands)
        text += fmt::format("            {}\n",
                            shell_quoted(command.name + ":" + zsh_words(command.description)));
    text +=
        "        )\n        _describe command commands\n        return\n    fi\n    case ${words[2]} in\n";
    for (const DescribedCommand& command : commands) {
        text += fmt::format("        {})\n            _arguments", command.name);
        for (const DescribedOption& option : command.options)
            for (const std::string& name : option.names) {
                std::string spec = fmt::format("{}[{}]", name, zsh_words(option.help));
                if (!option.value.empty())
                    spec += name == "--gpu" ? fmt::format(":model:({})", fmt::join(models, " "))
                                            : fmt::format(":{}:_files", zsh_words(option.value));
                text += " \\\n                " + shell_quoted(spec);
            }
        text += " \\\n                '*:file:_files'\n            ;;\n";
    }
    return text + "    esac\n}\n_lockstep \"$@\"\n";
}

std::string fish(const std::vector<DescribedCommand>& commands, const std::vector<std::string>& models) {
    std::string text = "# fish completion for lockstep\n";
    for (const DescribedCommand& command : commands) {
        text += fmt::format("complete -c lockstep -n __fish_use_subcommand -a {} -d {}\n", command.name,
                            shell_quoted(command.description));
        for (const DescribedOption& option : command.options) {
            text += fmt::format("complete -c lockstep -n '__fish_seen_subcommand_from {}'", command.name);
            bool gpu = false;
            for (const std::string& name : option.names) {
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
                gpu |= name == "--gpu";
            }
            if (!option.value.empty())
                text +=
                    gpu ? fmt::format(" -x -a {}", shell_quoted(fmt::format("{}", fmt::join(models, " "))))
                        : " -r";
            text += " -d " + shell_quoted(option.help) + "\n";
        }
    }
    return text;
}

}  // namespace

Result<std::string> completions(const std::string& shell, const std::vector<DescribedCommand>& commands,
                                const std::vector<std::string>& models) {
    if (shell == "bash") return bash(commands, models);
    if (shell == "zsh") return zsh(commands, models);
    if (shell == "fish") return fish(commands, models);
    return Error{fmt::format("completions for '{}': there are bash, zsh and fish", shell), {}};
}

}  // namespace lockstep::cli
