// What lockstep itself could not do for a program, as far as results depend on it: launches of kernels that
// it cannot run. A program that does not look at errors would end as if all were well.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <string>

namespace lockstep::session {

// Thread-safe.
class Lacking {
  public:
    struct Launches {
        std::uint64_t count = 0;
        std::string first;  // why the first of them could not be run
    };

    void add(const std::string& reason) {
        const std::lock_guard lock(mutex_);
        // A child does not answer for what its parent launched before the fork.
        if (process_ != getpid()) launches_ = {};
        process_ = getpid();
        if (launches_.count++ == 0) launches_.first = reason;
    }
    // Those of this process.
    Launches launches() const {
        const std::lock_guard lock(mutex_);
        return process_ == getpid() ? launches_ : Launches{};
    }

  private:
    mutable std::mutex mutex_;
    pid_t process_ = 0;
    Launches launches_;
};

}  // namespace lockstep::session
