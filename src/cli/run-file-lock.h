// One command at a time writes a run file.
#pragma once
#include <filesystem>
#include <utility>

#include "base/result.h"

namespace lockstep::cli {

// While it lives, no other lockstep of this user on this machine gets the lock for the same file. A name in
// the kernel, not a file: it goes with the process, however that ends, and leaves nothing behind.
class RunFileLock {
  public:
    static Result<RunFileLock> take(const std::filesystem::path& file);
    RunFileLock(RunFileLock&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
    RunFileLock& operator=(RunFileLock&&) = delete;
    ~RunFileLock();

  private:
    explicit RunFileLock(int socket) : socket_(socket) {}
    int socket_;
};

}  // namespace lockstep::cli
