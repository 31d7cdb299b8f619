// A limit on the size of files (ulimit -f) is an error like a full disk, not the process's end.
#pragma once
#include <signal.h>

namespace lockstep::report {

// While this lives, the signal that comes with the error stays away from the thread.
class FileLimitIsAnError {
  public:
    FileLimitIsAnError() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    ~FileLimitIsAnError() {
        const timespec now{0, 0};
        while (sigtimedwait(&signal_, nullptr, &now) > 0) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    FileLimitIsAnError(const FileLimitIsAnError&) = delete;
    FileLimitIsAnError& operator=(const FileLimitIsAnError&) = delete;

  private:
    sigset_t signal_, before_;
};

}  // namespace lockstep::report
