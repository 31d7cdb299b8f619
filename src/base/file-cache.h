// Files that can be made anew, kept for the next run: compiled programs and machine code. One folder for all
// processes of a user, at once and without locks: a file is written aside and renamed into its place, and
// never changed there.
//
// No file is trusted. What is read has a checksum, or is named by its content; what is damaged counts as
// missing, and is replaced when it has been made again. The folder's size is bounded: the files that have not
// been used for longest go first. Only files with names of our own are ever counted or removed, since users
// may name any folder.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lockstep::base {

struct CacheSettings {
    // $LOCKSTEP_CACHE, or $XDG_CACHE_HOME/lockstep, or ~/.cache/lockstep. Empty: there is no home either.
    std::filesystem::path directory;
    bool named = false;                            // by $LOCKSTEP_CACHE
    std::uint64_t limit = std::uint64_t{1} << 30;  // $LOCKSTEP_CACHE_SIZE, in bytes; 0: nothing is kept
};

// `value`: of an environment variable, null where it is not set.
Result<CacheSettings> cache_settings(const std::function<const char*(const char*)>& value);

class FileCache {
  public:
    // An empty directory or a limit of 0: nothing is found, and nothing kept.
    FileCache(std::filesystem::path directory, std::uint64_t limit)
        : directory_(std::move(directory)), limit_(limit) {}
    explicit FileCache(const CacheSettings& settings) : FileCache(settings.directory, settings.limit) {}

    bool in_use() const { return !directory_.empty() && limit_ > 0; }
    const std::filesystem::path& directory() const { return directory_; }

    // Makes the folder. An error says why nothing can be kept there.
    Result<void> prepare() const;

    // What was written under that key (32 hexadecimal digits), undamaged. `kind` is a word of small letters,
    // the beginning of the file's name.
    std::optional<std::string> read(std::string_view kind, const std::string& key) const;
    Result<void> write(std::string_view kind, const std::string& key, std::string_view bytes) const;

    // Programs are started from where they lie, as they are. They are named by their content: `keep` gives
    // the key that `find` takes.
    std::optional<std::filesystem::path> find(std::string_view kind, const std::string& key) const;
    Result<std::string> keep(std::string_view kind, std::string_view bytes) const;

    std::filesystem::path path_of(std::string_view kind, const std::string& key) const;

    struct Usage {
        std::uint64_t files = 0, bytes = 0;
    };
    std::map<std::string, Usage> usage() const;  // by kind
    // Removes all of it; what could not be removed is an error.
    Result<void> clear() const;

  private:
    Result<void> put(const std::filesystem::path& file, std::string_view bytes, unsigned mode) const;
    void count(std::uint64_t bytes) const;
    void prune() const;

    std::filesystem::path directory_;
    std::uint64_t limit_;
};

}  // namespace lockstep::base
