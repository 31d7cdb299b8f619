#include "base/alarm.h"

#include <chrono>

#include "base/own-work.h"

namespace lockstep::base {

Alarm::Alarm(double seconds, std::function<void()> ring) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, seconds, ring = std::move(ring)] {
        const OwnWork own;
        std::unique_lock lock(mutex_);
        if (!done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return finished_; }))
            ring();
    });
}

Alarm::~Alarm() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    done_.notify_all();
    thread_.join();
}

}  // namespace lockstep::base
