// Compiled programs, kept by content. An entry's name is the hash of everything on the command line and of
// the sources; with it stands the list of all files that were read and their hashes. It counts only while all
// of those are unchanged.
//
// Any number of processes may use one cache at once: an entry is made aside and renamed into place. A cache
// that cannot be written costs a warning and time, never the run.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::compile {

// $LOCKSTEP_CACHE, or $XDG_CACHE_HOME/lockstep, or ~/.cache/lockstep. Empty: there is no home either.
std::filesystem::path cache_directory();

struct CachedProgram {
    std::filesystem::path program;
    std::string messages;  // the compiler's warnings, to be said again
};

class Cache {
  public:
    explicit Cache(std::filesystem::path directory, std::uintmax_t limit = std::uintmax_t{1} << 30)
        : directory_(std::move(directory)), limit_(limit) {}

    std::optional<CachedProgram> find(const std::string& key) const;
    // Copies `program` in. An error says why not; the cache is then as it was.
    Result<CachedProgram> store(const std::string& key, const std::filesystem::path& program,
                                const std::vector<std::filesystem::path>& dependencies,
                                const std::string& messages);

  private:
    void prune() const;

    std::filesystem::path directory_;
    std::uintmax_t limit_;  // bytes; the entries that have not been used for longest go first
};

}  // namespace lockstep::compile
