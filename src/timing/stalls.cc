#include "timing/stalls.h"

#include <algorithm>
#include <unordered_map>

#include "timing/fit.h"

namespace lockstep::timing {
namespace {

bool takes_fixed_time(Unit unit) { return machine::latency_class_of(unit) == machine::LatencyClass::fixed; }

// From an operation's first machine instruction to its last.
int steps_between(const Op& op) {
    const int steps = op.issues - 1;
    if (op.gaps) return op.xu_issues + op.gaps;
    return takes_fixed_time(op.unit) ? steps / op.chains * op.latency + steps % op.chains : steps;
}

}  // namespace

std::uint32_t write_stalls(std::vector<Op>& ops, const gpu::TimingFigures& figures) {
    std::unordered_map<std::uint16_t, int> known;  // by slot: when its value is there, if time alone says so
    const auto known_at = [&](std::uint16_t slot) {
        const auto found = known.find(slot);
        return found == known.end() ? 0 : found->second;
    };
    Op* last = nullptr;
    int last_at = 0;
    for (Op& op : ops) {
        op.stall = 1;
        int sources = 0;
        for (std::size_t s = 0; s < op.source_count; ++s)
            sources = std::max(sources, known_at(op.sources[s]));
        const auto set_targets = [&](int at) {
            for (std::size_t t = 0; t < op.target_count; ++t) known[op.targets[t]] = at;
        };
        if (op.unit == Unit::none) {
            set_targets(sources);
            continue;
        }
        if (op.unit == Unit::memory && sources) sources += fit::address_wait;
        if (op.guard != Op::no_slot && known_at(op.guard))
            sources = std::max(sources, known_at(op.guard) + figures.predicate_latency - figures.alu.latency);
        int at = 0;
        if (last) {
            at = std::max(last_at + 1, sources);
            if (is_queued(last->unit) && is_queued(op.unit)) at = std::max(at, last_at + fit::memory_turn);
            last->stall = static_cast<std::uint16_t>(at - last_at);
        }
        last = &op;
        last_at = at + steps_between(op);
        set_targets(takes_fixed_time(op.unit) ? last_at + op.latency : 0);
    }
    return last ? static_cast<std::uint32_t>(last_at + 1) : 0;
}

}  // namespace lockstep::timing
