#include "compile/cache.h"

#include <sstream>

#include "base/hash.h"
#include "compile/files.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_kind = "list";
constexpr const char* program_kind = "program";

std::string file_hash(const fs::path& file) {
    const auto bytes = read_file(file);
    return bytes ? base::Hash().add(*bytes).hex() : "missing";
}

}  // namespace

// A list is the program's key, "HASH PATH" for each file, an empty line, and the messages.
std::optional<CachedProgram> Cache::find(const std::string& key) const {
    const auto list = files_.read(list_kind, key);
    if (!list) return {};
    std::istringstream lines(*list);
    std::string program;
    std::getline(lines, program);
    for (std::string line; std::getline(lines, line) && !line.empty();) {
        const auto space = line.find(' ');
        if (space == std::string::npos || file_hash(line.substr(space + 1)) != line.substr(0, space))
            return {};
    }
    auto file = files_.find(program_kind, program);
    if (!file) return {};
    return CachedProgram{std::move(*file), list->substr(static_cast<std::size_t>(lines.tellg()))};
}

Result<CachedProgram> Cache::store(const std::string& key, const fs::path& program,
                                   const std::vector<fs::path>& dependencies,
                                   const std::string& messages) const {
    std::string list;
    for (const fs::path& file : dependencies) {
        std::error_code failed;
        const fs::path absolute = fs::absolute(file, failed);
        // Such a path cannot stand in the list; a program that has one is compiled each time.
        if (absolute.string().find('\n') != std::string::npos)
            return Error{"a file name contains a line break", {}};
        list += file_hash(absolute) + ' ' + absolute.string() + '\n';
    }
    const auto bytes = read_file(program);
    if (!bytes) return Error{program.string() + ": cannot be read", {}};
    auto content = files_.keep(program_kind, *bytes);
    if (!content) return content.error();
    if (auto written = files_.write(list_kind, key, *content + '\n' + list + '\n' + messages); !written)
        return written.error();
    return CachedProgram{files_.path_of(program_kind, *content), messages};
}

}  // namespace lockstep::compile
