#include "compile/cache.h"

#include <cstdlib>
#include <sstream>

#include "base/hash.h"
#include "compile/files.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_kind = "list";

std::string file_hash(const fs::path& file) {
    const auto bytes = read_file(file);
    return bytes ? base::Hash().add(*bytes).hex() : "missing";
}

}  // namespace

// A list is the result's key, "HASH PATH" for each file, an empty line, and the messages.
std::optional<CachedFile> Cache::find(const std::string& key) const {
    const auto list = files_.read(list_kind, key);
    if (!list) return {};
    std::istringstream lines(*list);
    std::string content;
    std::getline(lines, content);
    for (std::string line; std::getline(lines, line) && !line.empty();) {
        const auto space = line.find(' ');
        if (space == std::string::npos || file_hash(line.substr(space + 1)) != line.substr(0, space))
            return {};
    }
    auto file = files_.find(kind_, content);
    if (!file) return {};
    return CachedFile{std::move(*file), list->substr(static_cast<std::size_t>(lines.tellg()))};
}

Result<CachedFile> Cache::store(const std::string& key, const fs::path& file,
                                const std::vector<fs::path>& dependencies,
                                const std::string& messages) const {
    std::string list;
    for (const fs::path& dependency : dependencies) {
        std::error_code failed;
        const fs::path absolute = fs::absolute(dependency, failed);
        // Such a path cannot stand in the list; what has one is compiled each time.
        if (absolute.string().find('\n') != std::string::npos)
            return Error{"a file name contains a line break", {}};
        list += file_hash(absolute) + ' ' + absolute.string() + '\n';
    }
    const auto bytes = read_file(file);
    if (!bytes) return Error{file.string() + ": cannot be read", {}};
    auto content = files_.keep(kind_, *bytes);
    if (!content) return content.error();
    if (auto written = files_.write(list_kind, key, *content + '\n' + list + '\n' + messages); !written)
        return written.error();
    return CachedFile{files_.path_of(kind_, *content), messages};
}

EnvironmentCache environment_cache() {
    auto settings = base::cache_settings([](const char* name) { return std::getenv(name); });
    EnvironmentCache cache;
    if (!settings) {
        cache.failed = settings.error();
        cache.asked_for = true;
    } else if (settings->limit != 0) {
        base::FileCache files(*settings);
        if (auto ready = files.prepare()) {
            cache.files = files;
        } else {
            cache.failed = ready.error();
            cache.asked_for = settings->named;
            if (cache.asked_for) cache.failed->message.insert(0, "LOCKSTEP_CACHE cannot be written: ");
        }
    }
    return cache;
}

}  // namespace lockstep::compile
