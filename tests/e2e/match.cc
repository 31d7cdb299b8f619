#include "match.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

namespace lockstep::e2e {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// Long outputs are cut in the middle: their beginning and end are what explains a failure.
std::string shown(const std::string& title, const std::string& text) {
    const std::size_t most = 40;
    std::vector<std::string> lines = lines_of(text);
    std::string result = fmt::format("--- {} ({} lines)\n", title, lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines.size() > most && i == most / 2) {
            result += fmt::format("    … {} lines left out …\n", lines.size() - most);
            i = lines.size() - most / 2;
        }
        result += fmt::format("    {}\n", lines[i]);
    }
    return result;
}

bool ended_as(const Exit& expected, const Outcome& outcome) {
    if (outcome.timed_out) return false;
    switch (expected.kind) {
        case Exit::Kind::status: return outcome.signal.empty() && outcome.status == expected.status;
        case Exit::Kind::nonzero: return outcome.status != 0 && outcome.signal.empty();
        case Exit::Kind::signal: return outcome.signal == expected.signal;
    }
    return false;
}

// Paths go into regular expressions as they are: their dots and dashes would match themselves anyway.
class Comparison {
  public:
    Comparison(const GoldenFile& file, const std::filesystem::path& temporary)
        : file_(file), temporary_(temporary) {}

    void in_order(const std::string& stream, const std::vector<Pattern>& patterns, const std::string& text) {
        std::vector<std::string> lines = lines_of(text);
        std::size_t next = 0;
        for (const Pattern& pattern : patterns) {
            std::optional<std::regex> regex = compile(pattern);
            if (!regex) continue;
            std::size_t at = next;
            while (at < lines.size() && !std::regex_search(lines[at], *regex)) ++at;
            if (at == lines.size()) {
                complain(pattern,
                         fmt::format("no line of {}{} matches\n    {}", stream,
                                     next ? fmt::format(" after '{}'", lines[next - 1]) : "", pattern.regex));
                return;
            }
            next = at + 1;
        }
    }

    void absent(const std::string& stream, const std::vector<Pattern>& patterns, const std::string& text) {
        for (const Pattern& pattern : patterns) {
            std::optional<std::regex> regex = compile(pattern);
            if (!regex) continue;
            for (const std::string& line : lines_of(text))
                if (std::regex_search(line, *regex))
                    complain(pattern, fmt::format("{} has the line\n    {}\nwhich matches\n    {}", stream,
                                                  line, pattern.regex));
        }
    }

    void complain(const Pattern& pattern, const std::string& message) {
        text_ += fmt::format("{}:{}: {}\n", file_.path.string(), pattern.line, message);
    }

    const std::string& text() const { return text_; }

  private:
    std::optional<std::regex> compile(const Pattern& pattern) {
        try {
            return std::regex(substitute(pattern.regex, file_, temporary_), std::regex::ECMAScript);
        } catch (const std::regex_error& error) {
            complain(pattern, fmt::format("not a regular expression ({}): {}", error.what(), pattern.regex));
            return std::nullopt;
        }
    }

    const GoldenFile& file_;
    const std::filesystem::path& temporary_;
    std::string text_;
};

}  // namespace

std::string differences(const GoldenFile& file, const Step& run, const Outcome& outcome,
                        const std::filesystem::path& temporary) {
    Comparison comparison(file, temporary);
    if (!ended_as(run.exit, outcome))
        comparison.complain({run.command, run.line},
                            fmt::format("expected {}, got {}", run.exit.to_string(), outcome.ending()));
    comparison.in_order("stdout", run.out, outcome.out);
    comparison.in_order("stderr", run.err, outcome.err);
    comparison.absent("stdout", run.absent, outcome.out);
    comparison.absent("stderr", run.absent, outcome.err);
    if (comparison.text().empty()) return "";
    return fmt::format("{}--- command\n    {}\n{}{}", comparison.text(),
                       substitute(run.command, file, temporary), shown("stdout", outcome.out),
                       shown("stderr", outcome.err));
}

}  // namespace lockstep::e2e
