// The errors of a device, as CUDA keeps them: a fault in a kernel is first pending, because the launch that
// caused it has long returned on a real GPU; the next call that waits for the device reports it, and so does
// every call after.
#pragma once
#include <mutex>

#include "session/status.h"

namespace lockstep::session {

// Thread-safe.
class DeviceErrors {
  public:
    // A kernel has faulted. Only the first fault counts: after it nothing runs.
    void fault(Status status) {
        const std::lock_guard lock(mutex_);
        if (pending_ == Status::success) pending_ = status;
    }
    // Whether a fault has happened, reported or not.
    bool faulted() const {
        const std::lock_guard lock(mutex_);
        return pending_ != Status::success;
    }
    // What a call returns before it does anything. `waits`: the call waits for the device's work.
    Status at_call(bool waits) {
        const std::lock_guard lock(mutex_);
        if (waits) sticky_ = pending_;
        return sticky_;
    }
    Status sticky() const {
        const std::lock_guard lock(mutex_);
        return sticky_;
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        pending_ = sticky_ = Status::success;
    }

  private:
    mutable std::mutex mutex_;
    Status pending_ = Status::success, sticky_ = Status::success;
};

}  // namespace lockstep::session
