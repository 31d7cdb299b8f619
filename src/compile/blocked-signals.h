// The signals that a command acts on while programs run.
#pragma once
#include <signal.h>

#include <chrono>

namespace lockstep::compile {

// While it lives, they wait to be asked for: the end of a child, and what ends a command. A command with a
// temporary folder holds one for longer than the folder, or a second Ctrl-C would leave it behind; and so
// would a reader of its output that goes away early, whose signal waits until the end.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigemptyset(&set_);
        for (const int number : {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP}) sigaddset(&set_, number);
        blocked_ = set_;
        sigaddset(&blocked_, SIGPIPE);
        sigprocmask(SIG_BLOCK, &blocked_, &before_);
    }
    ~BlockedSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
    // In a process forked off: it takes them as any other.
    void unblock() const { sigprocmask(SIG_UNBLOCK, &blocked_, nullptr); }
    // The next one within this time, or 0.
    int wait(siginfo_t& info, std::chrono::nanoseconds time) const {
        constexpr long second = 1'000'000'000;
        const timespec most{time.count() / second, time.count() % second};
        const int number = sigtimedwait(&set_, &info, &most);
        return number > 0 ? number : 0;
    }

  private:
    sigset_t set_, blocked_, before_;
};

}  // namespace lockstep::compile
