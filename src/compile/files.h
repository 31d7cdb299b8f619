// Small files and temporary directories.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace lockstep::compile {

std::optional<std::string> read_file(const std::filesystem::path& file);
Result<void> write_file(const std::filesystem::path& file, std::string_view bytes);

// A directory of one's own below $TMPDIR (or /tmp, or /dev/shm where those are full or unwritable), removed
// with everything in it at the end of its life.
class TempDir {
  public:
    static Result<TempDir> create();
    TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TempDir& operator=(TempDir&& other) noexcept {
        std::swap(path_, other.path_);
        return *this;
    }
    ~TempDir();
    const std::filesystem::path& path() const { return path_; }

  private:
    explicit TempDir(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

}  // namespace lockstep::compile
