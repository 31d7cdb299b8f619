// Streams and events, as a program made them.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "session/shared-events.h"
#include "session/stream-order.h"

namespace lockstep::session {

// CUDA's numbers: the highest priority is the lowest number.
inline constexpr int lowest_priority = 0, highest_priority = -5;

class Device;

// As cudaStreamGetId and the timeline's file number them: the legacy default stream of the first device, and
// the first that is made. (CUDA has 2 for the handle of a thread's default stream.)
inline constexpr StreamId first_legacy_stream = 1, first_stream = 3;

struct Stream {
    Device* device = nullptr;
    StreamId id = 0;
    unsigned flags = 0;  // as cudaStreamCreateWithFlags takes them
    int priority = lowest_priority;
    bool blocking() const { return (flags & 1) == 0; }

    // What was set for it and changes nothing here, by cudaLaunchAttributeID.
    struct Attributes {
        std::mutex mutex;
        std::map<int, std::array<std::byte, 64>> kept;
    };
    std::shared_ptr<Attributes> attributes = std::make_shared<Attributes>();
};

// Event times are the host's wall clock (how long the simulation took, not how long a GPU would) unless the
// process has a simulated clock.
using HostClock = std::chrono::steady_clock;

// One thread may record it while another asks for its time.
struct Event {
    Event(Device* device, EventId id, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr)
        : device(device), id(id), flags(flags), shared(std::move(shared)) {}
    Device* const device;
    const EventId id;
    const unsigned flags;
    const std::shared_ptr<SharedEvent> shared;  // with other processes; null: it is this one's alone
    std::atomic<bool> recorded = false;  // cudaEventRecord was called; the stream may not have got there yet
    std::atomic<HostClock::time_point> time{};
};

// Objects known by their address; a handle that is not one of them is found out. Thread-safe.
template <class T>
class Handles {
  public:
    template <class... Values>
    T* create(Values&&... values) {
        const std::lock_guard lock(mutex_);
        auto object = std::make_shared<T>(std::forward<Values>(values)...);
        T* handle = object.get();
        objects_.emplace(handle, std::move(object));
        return handle;
    }
    bool destroy(const void* handle) {
        const std::lock_guard lock(mutex_);
        return objects_.erase(handle) != 0;
    }
    // Null: no such object. It lives as long as the result does.
    std::shared_ptr<T> find(const void* handle) {
        const std::lock_guard lock(mutex_);
        const auto it = objects_.find(handle);
        return it == objects_.end() ? nullptr : it->second;
    }
    // Null: none is like that.
    template <class Predicate>
    std::shared_ptr<T> find_if(Predicate&& is_it) {
        const std::lock_guard lock(mutex_);
        for (const auto& [handle, object] : objects_)
            if (is_it(*object)) return object;
        return nullptr;
    }
    std::vector<std::shared_ptr<T>> take_all() {
        const std::lock_guard lock(mutex_);
        std::vector<std::shared_ptr<T>> all;
        for (auto& [handle, object] : objects_) all.push_back(std::move(object));
        objects_.clear();
        return all;
    }

  private:
    std::mutex mutex_;
    std::map<const void*, std::shared_ptr<T>> objects_;
};

}  // namespace lockstep::session
