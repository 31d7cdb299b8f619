#include "session/managed-advice.h"

#include <iterator>

namespace lockstep::session {

std::vector<Advice> ManagedAdvice::of(std::uint64_t begin, std::uint64_t size) const {
    const std::lock_guard lock(mutex_);
    std::vector<Advice> all;
    auto it = std::prev(advice_.upper_bound(begin));
    for (; it != advice_.end() && it->first < begin + size; ++it) all.push_back(it->second);
    return all;
}

}  // namespace lockstep::session
