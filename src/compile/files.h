// Small files and temporary directories.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/read-file.h"
#include "base/result.h"

namespace lockstep::compile {

using base::read_file;
// `name`: what an error calls the file, where that is not its own name.
Result<void> write_file(const std::filesystem::path& file, std::string_view bytes,
                        const std::string& name = "");

// An error that says why a file that the user names cannot be read: it is missing, a directory, forbidden; or
// no file at all but a device, which may wait for ever, or where the command itself writes.
Result<void> check_input(const std::filesystem::path& file);

// A directory of one's own below $TMPDIR (or /tmp, or /dev/shm where those are full or unwritable), removed
// with everything in it at the end of its life. A process that is killed cannot: a later one does it, which
// knows by a lock that is held as long as the object lives.
class TempDir {
  public:
    static Result<TempDir> create();
    // Those of processes that were killed. It looks at all that is there, which may be much: once a command.
    static void remove_abandoned();
    TempDir(TempDir&& other) noexcept
        : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}
    TempDir& operator=(TempDir&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(lock_, other.lock_);
        return *this;
    }
    ~TempDir();
    const std::filesystem::path& path() const { return path_; }

  private:
    explicit TempDir(std::filesystem::path path);
    std::filesystem::path path_;
    int lock_ = -1;  // the directory, open and locked
};

}  // namespace lockstep::compile
