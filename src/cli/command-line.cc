#include "cli/command-line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/option-checks.h"

namespace lockstep::cli {

Option Option::check(std::function<std::string(const std::string&)> wrong) const {
    option_->check(std::move(wrong));
    return *this;
}

Option Option::output_file() const {
    option_->check(file_name);
    option_->transform(CLI::Validator(
        [](std::string& text) {
            if (text == "/dev/stdout" || text == "/dev/fd/1" || text == "/proc/self/fd/1") text = "-";
            return std::string();
        },
        ""));
    return *this;
}

Option Option::between(int least, int most) const {
    option_->check(CLI::Range(least, most));
    return *this;
}

Option Option::one_of(std::vector<std::string> texts) const {
    option_->check(CLI::IsMember(std::move(texts)));
    return *this;
}

Option Option::existing_file() const {
    option_->check(CLI::ExistingFile);
    return *this;
}

Option Option::existing_path() const {
    option_->check(CLI::ExistingPath);
    return *this;
}

Option Option::required(int values) const {
    option_->expected(values)->required();
    return *this;
}

Option Option::one_value() const {
    option_->allow_extra_args(false);
    return *this;
}

Option Option::separated_by(char delimiter) const {
    option_->delimiter(delimiter);
    return *this;
}

Option Option::type_name(const std::string& name) const {
    option_->type_name(name);
    return *this;
}

Option Option::needs(Option other) const {
    option_->needs(other.option_);
    return *this;
}

Option Option::excludes(Option other) const {
    option_->excludes(other.option_);
    return *this;
}

void Command::footer(const std::string& text) const { app_->footer(text); }

void Command::allow_rest() const { app_->allow_extras(); }

std::vector<std::string> Command::rest() const { return app_->remaining(); }

void Command::callback(std::function<void()> run) const { app_->callback(std::move(run)); }

Option Command::add_option(const std::string& names, std::string& value, const std::string& help) const {
    return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::vector<std::string>& value,
                           const std::string& help) const {
    return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, int& value, const std::string& help) const {
    return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, double& value, const std::string& help) const {
    return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::uint64_t& value, const std::string& help) const {
    return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::optional<std::uint64_t>& value,
                           const std::string& help) const {
    return Option(app_->add_option(names, value, help));
}

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) const {
    return Option(app_->add_flag(names, value, help));
}

void Command::describe(const std::string& name, const std::string& help) const {
    app_->get_option(name)->description(help);
}

CommandLine::CommandLine(const std::string& description, const std::string& footer,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(description, "lockstep")) {
    app_->footer(footer);
    app_->require_subcommand(1);
    app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& description) {
    return Command(app_->add_subcommand(name, description));
}

std::vector<std::string> CommandLine::commands() const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_->get_subcommands({})) names.push_back(command->get_name());
    return names;
}

std::string CommandLine::description() const { return app_->get_description(); }

std::string CommandLine::footer() const { return app_->get_footer(); }

// Not App::help, which tells of the command that is being run.
std::string CommandLine::help() const {
    return app_->get_formatter()->make_help(app_.get(), app_->get_name(), CLI::AppFormatMode::Normal);
}

std::string CommandLine::help(const std::string& command) const {
    return app_->get_formatter()->make_help(app_->get_subcommand(command), app_->get_name() + " " + command,
                                            CLI::AppFormatMode::Normal);
}

std::vector<DescribedCommand> CommandLine::described() const {
    std::vector<DescribedCommand> commands;
    for (const CLI::App* app : app_->get_subcommands({})) {
        DescribedCommand command{app->get_name(), app->get_description(), app->get_footer(), {}};
        for (const CLI::Option* option : app->get_options()) {
            DescribedOption one{{}, option->get_description(), ""};
            for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
            for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
            if (option->get_items_expected_max() > 0) one.value = option->get_type_name();
            if (!one.names.empty()) command.options.push_back(std::move(one));
        }
        commands.push_back(std::move(command));
    }
    return commands;
}

Result<bool> CommandLine::run(std::vector<std::string> arguments) {
    try {
        std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
        app_->parse(arguments);
        return true;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return Error{error.what(), {}};
        app_->exit(error);
        return false;
    }
}

}  // namespace lockstep::cli
