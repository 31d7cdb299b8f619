#include "measure/ask-tool.h"

#include "compile/files.h"

namespace lockstep::measure {

Result<compile::Finished> ask_tool(const compile::Arguments& command) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    return compile::run(command, scratch->path());
}

std::string name_and_version(const std::filesystem::path& tool, std::string_view key, const char* ends) {
    const std::string name = tool.filename().string();
    const auto told = ask_tool({tool.string(), "--version"});
    const std::size_t at = told ? told->output.find(key) : std::string::npos;
    if (at == std::string::npos) return name;
    const std::string rest = told->output.substr(at + key.size());
    return name + " " + rest.substr(0, rest.find_first_of(ends));
}

}  // namespace lockstep::measure
