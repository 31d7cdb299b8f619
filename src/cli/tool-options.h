// The command lines of NVIDIA's tools. They are their own: options as those tools have them, often of several
// letters behind one dash, then a program and its arguments. CLI11 parses nothing of them.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::cli {

struct ToolOption {
    const char* name;        // behind two dashes; empty: none
    const char* short_name;  // behind one; empty: none
    bool takes_value;
    int action;        // the tool's own enumeration
    const char* text;  // help; empty: not shown there
    // Why lockstep does not have it: who uses it is told, and nothing else happens.
    const char* lacking = "";
    // Why lockstep has it with some values only: for the tool itself.
    const char* limit = "";
};

class ToolOptions {
  public:
    // What an option does; an exit status where that is all.
    using Apply = std::function<std::optional<int>(const ToolOption& option, const std::string& value)>;

    ToolOptions(std::string tool, std::span<const ToolOption> options)
        : tool_(std::move(tool)), options_(options) {}

    // Options up to the first other word, which is the program: `rest` is that word and all that follows.
    std::optional<int> parse_up_to_program(const std::vector<std::string>& arguments, const Apply& apply,
                                           std::vector<std::string>& rest) const;
    // Options anywhere; `rest` are the other words.
    std::optional<int> parse_all(const std::vector<std::string>& arguments, const Apply& apply,
                                 std::vector<std::string>& rest) const;

    // A line an option.
    std::string help() const;

  private:
    const ToolOption* find(const std::string& argument, std::optional<std::string>& value) const;
    // Reads the option at `i`, and moves `i` behind it.
    std::optional<int> parse_one(const std::vector<std::string>& arguments, std::size_t& i,
                                 const Apply& apply) const;
    std::string unknown(const std::string& argument) const;

    std::string tool_;
    std::span<const ToolOption> options_;
};

}  // namespace lockstep::cli
