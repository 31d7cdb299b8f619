#include "compile/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "compile/files.h"
#include "compile/hash.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "program";
constexpr const char* manifest_name = "files";
constexpr const char* manifest_suffix = ".files";
constexpr const char* messages_name = "messages";

std::string file_hash(const fs::path& file) {
    const auto bytes = read_file(file);
    return bytes ? Hash().add(*bytes).hex() : "missing";
}

// "HASH PATH" a line.
bool is_current(const std::string& manifest) {
    std::istringstream lines(manifest);
    for (std::string line; std::getline(lines, line);) {
        const auto space = line.find(' ');
        if (space == std::string::npos || file_hash(line.substr(space + 1)) != line.substr(0, space))
            return false;
    }
    return true;
}

std::string entry_name(const std::string& key, const std::string& manifest) {
    return Hash().add(key).add(manifest).hex();
}

// Own copying rather than the library's, which reports a full disk as an input/output error.
Result<void> fill(const fs::path& directory, const fs::path& program, const std::string& manifest,
                  const std::string& messages) {
    const auto bytes = read_file(program);
    if (!bytes) return Error{program.string() + ": cannot be read", {}};
    if (auto written = write_file(directory / program_name, *bytes); !written) return written;
    if (chmod((directory / program_name).c_str(), 0755) != 0 || chmod(directory.c_str(), 0755) != 0)
        return Error{fmt::format("{}: {}", directory.string(), strerror(errno)), {}};
    if (auto written = write_file(directory / manifest_name, manifest); !written) return written;
    if (messages.empty()) return {};
    return write_file(directory / messages_name, messages);
}

std::uintmax_t size_of(const fs::path& directory) {
    std::uintmax_t bytes = 0;
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(directory, ignored)) {
        std::error_code failed;
        const auto size = file.file_size(failed);
        if (!failed) bytes += size;
    }
    return bytes;
}

}  // namespace

bool cache_is_named() {
    const char* value = getenv("LOCKSTEP_CACHE");
    return value && *value;
}

fs::path cache_directory() {
    const auto variable = [](const char* name) {
        const char* value = getenv(name);
        return fs::path(value ? value : "");
    };
    if (const fs::path given = variable("LOCKSTEP_CACHE"); !given.empty()) return given;
    if (const fs::path given = variable("XDG_CACHE_HOME"); !given.empty()) return given / "lockstep";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "lockstep";
    return {};
}

std::optional<CachedProgram> Cache::find(const std::string& key) const {
    if (directory_.empty()) return {};
    const auto manifest = read_file(directory_ / (key + manifest_suffix));
    if (!manifest || !is_current(*manifest)) return {};
    const fs::path entry = directory_ / entry_name(key, *manifest);
    std::error_code ignored;
    if (!fs::exists(entry / program_name, ignored)) return {};
    // For prune(): when it was last used.
    utimensat(AT_FDCWD, entry.c_str(), nullptr, 0);
    return CachedProgram{entry / program_name, read_file(entry / messages_name).value_or("")};
}

Result<CachedProgram> Cache::store(const std::string& key, const fs::path& program,
                                   const std::vector<fs::path>& dependencies, const std::string& messages) {
    if (directory_.empty())
        return Error{"there is no cache directory: neither LOCKSTEP_CACHE nor HOME is set", {}};
    std::error_code failed;
    fs::create_directories(directory_, failed);
    if (failed) return Error{fmt::format("{}: {}", directory_.string(), failed.message()), {}};

    std::string manifest;
    for (const fs::path& file : dependencies) {
        const fs::path absolute = fs::absolute(file, failed);
        // Such a path cannot stand in the list; a program that has one is compiled each time.
        if (absolute.string().find('\n') != std::string::npos)
            return Error{"a file name contains a line break", {}};
        manifest += file_hash(absolute) + ' ' + absolute.string() + '\n';
    }

    std::string aside = (directory_ / "new-XXXXXX").string();
    if (!mkdtemp(aside.data())) return Error{fmt::format("{}: {}", directory_.string(), strerror(errno)), {}};
    const auto remove_aside = [&] {
        std::error_code ignored;
        fs::remove_all(aside, ignored);
    };
    const fs::path entry = directory_ / entry_name(key, manifest);
    if (auto filled = fill(aside, program, manifest, messages); !filled) {
        remove_aside();
        return filled.error();
    }
    // The list of files leaves the new directory for its own place only after the directory has its final
    // name.
    const fs::path list = fs::path(aside + manifest_suffix);
    fs::rename(fs::path(aside) / manifest_name, list, failed);
    fs::rename(aside, entry, failed);
    if (failed) {
        // Another process has made the very same entry: then that one is as good.
        remove_aside();
        std::error_code missing;
        if (!fs::exists(entry / program_name, missing)) {
            fs::remove(list, missing);
            return Error{fmt::format("{}: {}", entry.string(), failed.message()), {}};
        }
    }
    fs::rename(list, directory_ / (key + manifest_suffix), failed);
    prune();
    return CachedProgram{entry / program_name, messages};
}

void Cache::prune() const {
    struct Entry {
        fs::path path;
        fs::file_time_type used;
        std::uintmax_t bytes;
    };
    std::vector<Entry> entries;
    std::uintmax_t total = 0;
    std::error_code ignored;
    for (const auto& item : fs::directory_iterator(directory_, ignored)) {
        std::error_code failed;
        if (!item.is_directory(failed)) continue;
        entries.push_back({item.path(), item.last_write_time(failed), size_of(item.path())});
        total += entries.back().bytes;
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (total <= limit_ || entry.path == entries.back().path) break;
        fs::remove_all(entry.path, ignored);
        total -= entry.bytes;
    }
}

}  // namespace lockstep::compile
