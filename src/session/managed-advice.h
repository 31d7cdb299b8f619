// What a program has said of its managed memory (cudaMemAdvise, cudaMemPrefetchAsync), byte by byte. It moves
// nothing here: one memory serves host and devices. It is kept because programs ask for it again.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace lockstep::session {

// As cudaMemLocation has it; type 0: none was given.
struct MemoryPlace {
    int type = 0, id = -2;  // cudaInvalidDeviceId
    bool operator==(const MemoryPlace&) const = default;
};

struct Advice {
    bool read_mostly = false;
    MemoryPlace preferred, prefetched_to;
    std::set<int> accessed_by;  // devices; -1: the host
    bool operator==(const Advice&) const = default;
};

// Thread-safe.
class ManagedAdvice {
  public:
    // Changes what is known of each byte of a range.
    template <class Change>
    void change(std::uint64_t begin, std::uint64_t size, Change&& change) {
        const std::lock_guard lock(mutex_);
        split(begin);
        split(begin + size);
        for (auto it = advice_.find(begin); it->first < begin + size; ++it) change(it->second);
    }
    // What is known of its parts, in order.
    std::vector<Advice> of(std::uint64_t begin, std::uint64_t size) const;
    // The memory is freed.
    void forget(std::uint64_t begin, std::uint64_t size) {
        change(begin, size, [](Advice& advice) { advice = {}; });
    }

  private:
    // A piece begins there.
    void split(std::uint64_t address) {
        const auto after = advice_.upper_bound(address);
        advice_.emplace_hint(after, address, std::prev(after)->second);
    }

    mutable std::mutex mutex_;
    std::map<std::uint64_t, Advice> advice_{{0, {}}};  // by the begin of each piece
};

}  // namespace lockstep::session
