// The dependency files that compilers write with -MD: Makefile syntax.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::compile {

// What stands right of the first colon.
std::vector<std::filesystem::path> parse_depfile(const std::string& text);
// Adds those that are not among `files` yet.
void add_dependencies(std::vector<std::filesystem::path>& files, const std::string& text);

// A rule as a compiler writes it. `phony`: the files that the source includes are targets of nothing, too
// (-MP).
struct DependencyRule {
    std::string target;
    std::filesystem::path source;
    bool phony = false;
    std::vector<std::filesystem::path> files{};  // with the source
};
std::string to_depfile(const DependencyRule& rule);

}  // namespace lockstep::compile
