#include "session/stream-races.h"

namespace lockstep::session {
namespace {

std::optional<StreamRace> race_of(const CommandRecord& earlier, const CommandRecord& later) {
    const Touched &a = earlier.touched, &b = later.touched;
    if (const auto both = a.written.meets(b.written)) return StreamRace{earlier, later, *both, true, true};
    if (const auto both = a.written.meets(b.read)) return StreamRace{earlier, later, *both, true, false};
    if (const auto both = a.read.meets(b.written)) return StreamRace{earlier, later, *both, false, true};
    // Atomics meet each other well, and nothing else.
    if (const auto both = a.atomics.meets(b.written)) return StreamRace{earlier, later, *both, true, true};
    if (const auto both = a.written.meets(b.atomics)) return StreamRace{earlier, later, *both, true, true};
    if (const auto both = a.atomics.meets(b.read)) return StreamRace{earlier, later, *both, true, false};
    if (const auto both = a.read.meets(b.atomics)) return StreamRace{earlier, later, *both, false, true};
    return std::nullopt;
}

}  // namespace

const std::list<CommandRecord>& StreamRaces::unordered(const Clock& host) {
    records_.remove_if([&](const CommandRecord& one) { return one.stamp.is_before(host); });
    return records_;
}

std::vector<StreamRace> StreamRaces::add(CommandRecord record, const Clock& host) {
    std::vector<StreamRace> races;
    unordered(host);
    for (auto it = records_.begin(); it != records_.end();) {
        const CommandRecord& other = *it;
        if (!other.stamp.is_before(record.stamp.clock) && !record.stamp.is_before(other.stamp.clock))
            if (auto race = race_of(other, record)) races.push_back(std::move(*race));
        // Who is unordered with the earlier of two in a stream is so with the later. So one that does as much
        // takes the place of the earlier: a loop needs no more than its last turn.
        const bool replaced = other.stamp.stream == record.stamp.stream && other.site == record.site &&
                              record.touched.contains(other.touched);
        it = replaced ? records_.erase(it) : std::next(it);
    }
    records_.push_front(std::move(record));
    if (records_.size() > most) records_.pop_back();
    return races;
}

void StreamRaces::forget(std::uint64_t begin, std::uint64_t end) {
    for (CommandRecord& record : records_) {
        record.touched.remove(begin, end);
    }
    records_.remove_if([](const CommandRecord& record) { return record.touched.empty(); });
}

std::vector<StreamRace> GraphRaces::add(CommandRecord record, const std::vector<std::uint32_t>& after) {
    std::vector<StreamRace> races;
    if (steps_.size() >= most) return races;
    Step step{std::move(record), std::vector<bool>(steps_.size())};
    for (const std::uint32_t number : after) {
        if (number >= steps_.size()) continue;
        step.before[number] = true;
        const std::vector<bool>& earlier = steps_[number].before;
        for (std::size_t i = 0; i < earlier.size(); ++i)
            if (earlier[i]) step.before[i] = true;
    }
    for (std::size_t i = 0; i < steps_.size(); ++i)
        if (!step.before[i])
            if (auto race = race_of(steps_[i].record, step.record)) races.push_back(std::move(*race));
    steps_.push_back(std::move(step));
    return races;
}

}  // namespace lockstep::session
