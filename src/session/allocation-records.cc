#include "session/allocation-records.h"

#include <algorithm>
#include <utility>

namespace lockstep::session {

void AllocationRecords::allocated(const exec::Allocation& allocation, const char* function, CallSite site) {
    const std::lock_guard lock(mutex_);
    // What was there before is over.
    for (auto it = freed_.lower_bound(allocation.address);
         it != freed_.end() && it->first < std::max(allocation.end(), allocation.address + 1);)
        it = freed_.erase(it);
    live_[allocation.address] = {allocation, function, std::move(site), {}, false};
}

void AllocationRecords::free(Table::iterator one, CallSite site, bool by_reset) {
    one->second.freed = std::move(site);
    one->second.by_reset = by_reset;
    freed_[one->first] = std::move(one->second);
    freed_order_.push_back(one->first);
    live_.erase(one);
    if (freed_order_.size() <= most_freed) return;
    freed_.erase(freed_order_.front());
    freed_order_.pop_front();
}

void AllocationRecords::released(const exec::Allocation& allocation, CallSite site) {
    const std::lock_guard lock(mutex_);
    if (const auto it = live_.find(allocation.address); it != live_.end()) free(it, std::move(site), false);
}

void AllocationRecords::reset(int device, const CallSite& site) {
    const std::lock_guard lock(mutex_);
    for (auto it = live_.begin(); it != live_.end();) {
        const auto one = it++;
        if (one->second.allocation.owner != device) continue;
        reset_.push_back(one->second);
        free(one, site, true);
    }
}

std::optional<AllocationRecord> AllocationRecords::holder(const Table& table, std::uint64_t address) {
    auto it = table.upper_bound(address);
    if (it == table.begin()) return std::nullopt;
    --it;
    if (address > it->second.allocation.end()) return std::nullopt;
    return it->second;
}

std::optional<AllocationRecord> AllocationRecords::live(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    return holder(live_, address);
}

std::optional<AllocationRecord> AllocationRecords::freed(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    return holder(freed_, address);
}

void AllocationRecords::freed_late(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    std::erase_if(reset_, [&](const AllocationRecord& one) { return one.allocation.address == address; });
}

std::vector<AllocationRecord> AllocationRecords::never_freed() const {
    const std::lock_guard lock(mutex_);
    std::vector<AllocationRecord> all = reset_;
    for (const auto& [address, record] : live_) all.push_back(record);
    return all;
}

}  // namespace lockstep::session
