// What compilers have made, in the cache. The list of a key (a hash of the command line) names every file
// that was read for it, with its hash, and the result, by its content: so a changed source makes another one,
// and two command lines that give the same share one.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file-cache.h"
#include "base/result.h"

namespace lockstep::compile {

struct CachedFile {
    std::filesystem::path file;
    std::string messages;  // the compiler's warnings, to be said again
};

class Cache {
  public:
    // `kind`: a word for what is kept, as `lockstep cache` shows it.
    explicit Cache(base::FileCache files, std::string_view kind = "program")
        : files_(std::move(files)), kind_(kind) {}

    std::optional<CachedFile> find(const std::string& key) const;
    // Copies `file` in. An error says why not; the cache is then as it was.
    Result<CachedFile> store(const std::string& key, const std::filesystem::path& file,
                             const std::vector<std::filesystem::path>& dependencies,
                             const std::string& messages) const;

  private:
    base::FileCache files_;
    std::string kind_;
};

// The cache that the environment names; one that keeps nothing where it cannot be used.
struct EnvironmentCache {
    base::FileCache files{{}, 0};
    std::optional<Error> failed;
    bool asked_for = false;  // what failed, by a variable
};
EnvironmentCache environment_cache();
inline base::FileCache usable_cache() { return environment_cache().files; }

}  // namespace lockstep::compile
