// Does something when a time is up, unless it is no longer needed by then.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace lockstep::base {

class Alarm {
  public:
    // `ring` is called on a thread of its own. Not above 0 seconds: never.
    Alarm(double seconds, std::function<void()> ring);
    // It does not ring any more.
    ~Alarm();
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

  private:
    std::mutex mutex_;
    std::condition_variable done_;
    bool finished_ = false;
    std::thread thread_;
};

}  // namespace lockstep::base
