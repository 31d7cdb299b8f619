#include "labs/requirements.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "base/read-file.h"

namespace lockstep::labs {
namespace {

using Kind = Requirement::Kind;

constexpr std::pair<const char*, Kind> kinds[] = {
    {"output", Kind::output},
    {"check", Kind::check},
    {"profile", Kind::profile},
    {"explain", Kind::explain},
};

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
    return first == text.npos ? "" : text.substr(first, last - first + 1);
}

// What is wrong with the line, or nothing.
std::string take(const std::string& keyword, const std::string& rest, Requirements& into) {
    if (keyword == "gpu") {
        into.gpu = rest;
        return rest.empty() ? "gpu wants a name" : "";
    }
    if (keyword == "arguments") {
        std::istringstream words(rest);
        for (std::string word; words >> word;) into.arguments.push_back(word);
        return "";
    }
    for (const auto& [name, kind] : kinds) {
        if (keyword != name) continue;
        if (rest.empty() != (kind == Kind::check))
            return fmt::format("{} wants {} after it", name, rest.empty() ? "something" : "nothing");
        into.list.push_back({kind, rest, {}});
        return "";
    }
    return fmt::format("'{}' is none of gpu, arguments, output, check, profile and explain", keyword);
}

}  // namespace

std::string Requirement::to_string() const {
    switch (kind) {
        case Kind::output: return fmt::format("the program ends well and prints a line like {}", text);
        case Kind::check: return "lockstep check finds nothing";
        case Kind::profile:
        case Kind::explain: return text;
    }
    return text;
}

Result<Requirements> read_requirements(const std::filesystem::path& file) {
    const auto text = base::read_file(file);
    if (!text) return Error{"cannot be read", {file.string()}};
    Requirements requirements;
    std::istringstream lines(*text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string bare = trimmed(line);
        if (bare.empty() || bare.starts_with('#')) continue;
        std::string wrong;
        if (line.starts_with(' ')) {
            if (requirements.list.empty())
                wrong = "no requirement stands before these words";
            else
                requirements.list.back().words.push_back(bare);
        } else {
            const std::size_t space = std::min(bare.find(' '), bare.size());
            wrong = take(bare.substr(0, space), trimmed(bare.substr(space)), requirements);
        }
        if (!wrong.empty()) return Error{wrong, {file.string(), number}};
    }
    if (requirements.list.empty()) return Error{"asks for nothing", {file.string()}};
    return requirements;
}

}  // namespace lockstep::labs
