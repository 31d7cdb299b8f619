// Compiled programs, kept by content. KEY.files lists every file that was read for the program KEY (a hash of
// the command line), with its hash; the program itself is in a directory named by the hash of that list, so
// that an entry never changes: a changed source makes another one.
//
// Any number of processes may use one cache at once: entries and lists are made aside and renamed into place.
// A default cache that cannot be written costs a warning and time, never the run; one that LOCKSTEP_CACHE names is an error.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::compile {

// $LOCKSTEP_CACHE, or $XDG_CACHE_HOME/lockstep, or ~/.cache/lockstep. Empty: there is no home either.
std::filesystem::path cache_directory();
bool cache_is_named();  // by $LOCKSTEP_CACHE

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
