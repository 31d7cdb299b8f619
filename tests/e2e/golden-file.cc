#include "golden-file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace lockstep::e2e {
namespace {

std::optional<int> to_number(const std::string& text) {
    int value = 0;
    auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<Exit> parse_exit(const std::string& value) {
    if (value == "nonzero") return Exit{Exit::Kind::nonzero, 0, ""};
    if (value.rfind("signal ", 0) == 0) return Exit{Exit::Kind::signal, 0, value.substr(7)};
    if (std::optional<int> status = to_number(value)) return Exit{Exit::Kind::status, *status, ""};
    return std::nullopt;
}

struct Directive {
    std::string name, value;
};

// "// NAME: value" where NAME is in capitals; anything else is the program's own comment.
std::optional<Directive> as_directive(const std::string& line) {
    if (line.rfind("// ", 0) != 0) return std::nullopt;
    std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon < 5) return std::nullopt;
    std::string name = line.substr(3, colon - 3);
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        return std::nullopt;
    std::size_t start = line.find_first_not_of(' ', colon + 1);
    return Directive{name, start == std::string::npos ? "" : line.substr(start)};
}

}  // namespace

std::string Exit::to_string() const {
    switch (kind) {
        case Kind::status: return fmt::format("status {}", status);
        case Kind::nonzero: return "any status but 0";
        case Kind::signal: return fmt::format("signal {}", signal);
    }
    return "";
}

Result<std::optional<GoldenFile>> parse_golden_file(const std::filesystem::path& path,
                                                    const std::string& text,
                                                    const std::filesystem::path& root) {
    GoldenFile file;
    file.path = file.program = path;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string mark = "// HERE";
        if (line.size() > mark.size() && line.compare(line.size() - mark.size(), mark.size(), mark) == 0)
            file.marked_line = number;
        std::optional<Directive> directive = as_directive(line);
        if (!directive) continue;
        const auto& [name, value] = *directive;
        auto error = [&](const std::string& message) { return Error{message, {path.string(), number, 1}}; };

        if (name == "RUN") {
            Step run;
            run.command = value;
            run.line = number;
            file.runs.push_back(run);
            continue;
        }
        if (name == "NEEDS") {
            file.needs.push_back(value);
            continue;
        }
        if (name == "ALSO") {
            if (value != "nvcc") return error(fmt::format("ALSO knows only nvcc, not '{}'", value));
            file.also_nvcc = true;
            continue;
        }
        if (name == "FILE") {
            file.program = root / value;
            continue;
        }
        if (file.runs.empty()) return error(fmt::format("{} before the first RUN", name));
        Step& run = file.runs.back();
        if (name == "ENV")
            run.environment.push_back(value);
        else if (name == "OUT")
            run.out.push_back({value, number});
        else if (name == "ERR")
            run.err.push_back({value, number});
        else if (name == "NOT")
            run.absent.push_back({value, number});
        else if (name == "EXIT") {
            std::optional<Exit> exit = parse_exit(value);
            if (!exit)
                return error(fmt::format("EXIT wants a number, 'nonzero' or 'signal NAME', not '{}'", value));
            run.exit = *exit;
        } else if (name == "LIMIT") {
            std::optional<int> limit = to_number(value);
            if (!limit) return error(fmt::format("LIMIT wants a number of seconds, not '{}'", value));
            run.limit_s = *limit;
        } else {
            return error(fmt::format("unknown directive {}", name));
        }
    }
    if (file.runs.empty()) return std::optional<GoldenFile>{};
    return std::optional<GoldenFile>{std::move(file)};
}

std::string substitute(const std::string& text, const GoldenFile& file,
                       const std::filesystem::path& temporary) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
        switch (next) {
            case 's': result += file.program.string(); break;
            case 'S': result += file.program.parent_path().string(); break;
            case 't': result += temporary.string(); break;
            case 'l': result += std::to_string(file.marked_line); break;
            case '%': result += '%'; break;
            default: result += text[i]; continue;
        }
        ++i;
    }
    return result;
}

std::string with_nvcc(const std::string& command) {
    const std::string needle = "lockstep run";
    std::string result = command;
    for (std::size_t at = result.find(needle); at != std::string::npos;
         at = result.find(needle, at + needle.size()))
        result.insert(at + needle.size(), " --compiler nvcc");
    return result;
}

}  // namespace lockstep::e2e
