// The command line: commands with options. A face of CLI11, which takes the compiler seconds a file, with as
// much of it as the commands need.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::cli {

class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}

    // `wrong` gives what is wrong with a text, or nothing.
    Option check(std::function<std::string(const std::string&)> wrong) const;
    Option between(int least, int most) const;
    Option one_of(std::vector<std::string> texts) const;
    Option existing_file() const;
    Option existing_path() const;               // a file or a folder
    Option output_file() const;                 // one that is written; "-" if that is the standard output
    Option required(int values) const;          // so many, none more or less
    Option one_value() const;                   // each time that it is given
    Option separated_by(char delimiter) const;  // several values in one text
    Option type_name(const std::string& name) const;
    Option needs(Option other) const;
    Option excludes(Option other) const;

  private:
    CLI::Option* option_;
};

class Command {
  public:
    explicit Command(CLI::App* app) : app_(app) {}

    void footer(const std::string& text) const;  // of its help
    void allow_rest() const;                     // what is no option of its own is left to the command:
    std::vector<std::string> rest() const;
    void callback(std::function<void()> run) const;

    // `names` as "--jobs,-j", or "FILE" for what stands without a name. The value is set when the line is
    // parsed.
    Option add_option(const std::string& names, std::string& value, const std::string& help) const;
    Option add_option(const std::string& names, std::vector<std::string>& value,
                      const std::string& help) const;
    Option add_option(const std::string& names, int& value, const std::string& help) const;
    Option add_option(const std::string& names, double& value, const std::string& help) const;
    Option add_option(const std::string& names, std::uint64_t& value, const std::string& help) const;
    Option add_option(const std::string& names, std::optional<std::uint64_t>& value,
                      const std::string& help) const;
    Option add_flag(const std::string& names, bool& value, const std::string& help) const;
    // Another help for an option that is there.
    void describe(const std::string& name, const std::string& help) const;

  private:
    CLI::App* app_;
};

// A command as its help tells of it.
struct DescribedOption {
    std::vector<std::string> names;  // "--json", "-o"
    std::string help;
    std::string value;  // what it takes: "TEXT"; empty: nothing
};
struct DescribedCommand {
    std::string name, description, footer;
    std::vector<DescribedOption> options;
};

class CommandLine {
  public:
    CommandLine(const std::string& description, const std::string& footer, const std::string& version);
    ~CommandLine();

    Command add_command(const std::string& name, const std::string& description);
    std::vector<std::string> commands() const;
    std::string description() const;
    std::string footer() const;
    std::string help() const;
    std::string help(const std::string& command) const;
    std::vector<DescribedCommand> described() const;

    // Calls the callback of the command that is named. False: --help or --version was asked for, and printed.
    Result<bool> run(std::vector<std::string> arguments);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace lockstep::cli
