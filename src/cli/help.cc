// lockstep help: what the commands are and take; for people, for man(1), for shells.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/unknown-name.h"
#include "cli/command.h"
#include "cli/completions.h"
#include "cli/manual.h"
#include "cli/models.h"
#include "cli/profiled-run.h"
#include "cli/write-output.h"
#include "compile/version.h"

namespace lockstep::cli {
namespace help_command {

struct Options {
    std::string command, shell;
    bool manual = false;
};

constexpr const char* footer =
    "Examples:\n"
    "  lockstep help profile                            the same as lockstep profile --help\n"
    "  lockstep help --completions bash > ~/.local/share/bash-completion/completions/lockstep\n"
    "  lockstep help --completions zsh > \"${fpath[1]}/_lockstep\"\n"
    "  lockstep help --completions fish > ~/.config/fish/completions/lockstep.fish\n"
    "  lockstep help --man | man -l -                   the manual page, which make install installs";

Result<std::string> text_of(const Options& options, const CommandLine& line) {
    if (options.manual)
        return manual(std::string(compile::version()), line.description(), line.footer(), line.described());
    if (!options.shell.empty()) {
        const auto directory = model_directory();
        if (!directory) return directory.error();
        return completions(options.shell, line.described(), gpu::list_models(*directory));
    }
    if (options.command.empty()) return line.help();
    const std::vector<std::string> commands = line.commands();
    if (std::find(commands.begin(), commands.end(), options.command) != commands.end())
        return line.help(options.command);
    return Error{base::unknown_name("command", options.command, commands), {}};
}

}  // namespace help_command

void add_help(CommandLine& line, Context& context) {
    using namespace help_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command("help", "Tell of all commands, or of one");
    command.footer(footer);
    command.add_option("COMMAND", options->command, "The command to tell of");
    command.add_flag("--man", options->manual, "All commands as a manual page, for man(1)");
    command
        .add_option("--completions", options->shell,
                    "A script that completes lockstep's command line in a SHELL")
        .one_of({"bash", "zsh", "fish"});
    command.callback([options, &line, &context] {
        const auto text = text_of(*options, line);
        context.status = text ? write_output("-", *text) : fail(text.error().to_string(), 2);
    });
}

}  // namespace lockstep::cli
