#include "timing/register-pressure.h"

#include <algorithm>
#include <unordered_map>

namespace lockstep::timing {

RegisterPressure::RegisterPressure(const std::vector<const Op*>& ops, const Registers& registers)
    : touched_(ops.size()), room_(registers.room), taken_(registers.besides) {
    std::unordered_map<std::uint16_t, ValueId> holds;  // by slot
    const auto put = [&](std::uint16_t slot) {
        const auto id = static_cast<ValueId>(values_.size());
        values_.push_back({slot < registers.cost.size() ? registers.cost[slot] : 1, 0, false});
        holds[slot] = id;
        return id;
    };
    for (const std::uint16_t slot : registers.in) put(slot);
    const std::size_t alive = values_.size();
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Op& op = *ops[i];
        const auto read = [&](std::uint16_t slot) {
            const auto known = holds.find(slot);
            if (known == holds.end() || std::ranges::count(touched_[i].read, known->second)) return;
            touched_[i].read.push_back(known->second);
            ++values_[known->second].reads;
        };
        for (std::size_t s = 0; s < op.source_count; ++s) read(op.sources[s]);
        for (std::size_t t = 0; t < op.target_count; ++t) {
            if (op.guard != Op::no_slot) read(op.targets[t]);  // lanes that are off keep what was there
            touched_[i].made.push_back(put(op.targets[t]));
        }
    }
    for (const std::uint16_t slot : registers.out)
        if (const auto known = holds.find(slot); known != holds.end()) values_[known->second].stays = true;
    for (std::size_t v = 0; v < alive; ++v)
        if (values_[v].reads || values_[v].stays) taken_ += values_[v].cost;
}

int RegisterPressure::growth(std::size_t op) const {
    int growth = 0;
    for (const ValueId v : touched_[op].made)
        if (values_[v].reads || values_[v].stays) growth += values_[v].cost;
    for (const ValueId v : touched_[op].read)
        if (values_[v].reads == 1 && !values_[v].stays) growth -= values_[v].cost;
    return growth;
}

void RegisterPressure::issue(std::size_t op) {
    taken_ += growth(op);
    for (const ValueId v : touched_[op].read) --values_[v].reads;
}

}  // namespace lockstep::timing
