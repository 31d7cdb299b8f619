// What a kernel does that is let pass, but worth telling: each place once, however often it comes there.
#pragma once
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace lockstep::exec {

// Thread-safe.
class Warnings {
  public:
    explicit Warnings(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

    // `place` says what is one place.
    void once(const std::string& place, const std::string& text) {
        const std::lock_guard lock(mutex_);
        if (told_.insert(place).second) tell_(text);
    }

  private:
    std::mutex mutex_;
    std::function<void(const std::string&)> tell_;
    std::set<std::string> told_;
};

}  // namespace lockstep::exec
