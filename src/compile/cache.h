// Compiled programs in the cache. The list of a key (a hash of the command line) names every file that was
// read for the program, with its hash, and the program, by its content: so a changed source makes another
// program, and two command lines that give the same share one.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file-cache.h"
#include "base/result.h"

namespace lockstep::compile {

struct CachedProgram {
    std::filesystem::path program;
    std::string messages;  // the compiler's warnings, to be said again
};

class Cache {
  public:
    explicit Cache(base::FileCache files) : files_(std::move(files)) {}

    std::optional<CachedProgram> find(const std::string& key) const;
    // Copies `program` in. An error says why not; the cache is then as it was.
    Result<CachedProgram> store(const std::string& key, const std::filesystem::path& program,
                                const std::vector<std::filesystem::path>& dependencies,
                                const std::string& messages) const;

  private:
    base::FileCache files_;
};

}  // namespace lockstep::compile
