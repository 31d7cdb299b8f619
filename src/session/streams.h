// Streams and events. Work runs when it is submitted, in the order of submission: a legal program cannot tell
// that from concurrent streams by its results. So a stream has only its properties, and an event only its
// time.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace lockstep::session {

struct Stream {
    std::uint64_t id = 0;
    unsigned flags = 0;
    int priority = 0;
};

// Event times are the host's wall clock: how long the simulation took, not how long a GPU would.
using HostClock = std::chrono::steady_clock;

struct Event {
    unsigned flags = 0;
    bool recorded = false;
    HostClock::time_point time;
};

// Objects known by their address; a handle that is not one of them is found out. Thread-safe.
template <class T>
class Handles {
  public:
    T* create(T value) {
        const std::lock_guard lock(mutex_);
        auto object = std::make_unique<T>(std::move(value));
        T* handle = object.get();
        objects_.emplace(handle, std::move(object));
        return handle;
    }
    bool destroy(const void* handle) {
        const std::lock_guard lock(mutex_);
        return objects_.erase(handle) != 0;
    }
    T* find(const void* handle) {
        const std::lock_guard lock(mutex_);
        const auto it = objects_.find(handle);
        return it == objects_.end() ? nullptr : it->second.get();
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        objects_.clear();
    }

  private:
    std::mutex mutex_;
    std::map<const void*, std::unique_ptr<T>> objects_;
};

}  // namespace lockstep::session
