#include "machine/machine-blocks.h"

#include <algorithm>

namespace lockstep::machine {

using kernel::BlockId;
using kernel::Terminator;

bool MachineBlocks::branch_remains(const kernel::Function& f, BlockId b) const {
    return std::ranges::none_of(f.blocks[b].terminator.targets,
                                [&](BlockId target) { return is_predicated_into(target, b); });
}

MachineBlocks machine_blocks(const kernel::Function& f, std::vector<BlockId> issued_with) {
    MachineBlocks machine{.issued_with = std::move(issued_with), .first = {}};
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        const auto& before = f.blocks[b].predecessors;
        const auto falls_in = [&](BlockId p) {
            const Terminator& end = f.blocks[p].terminator;
            const bool goes_on = end.kind == Terminator::Kind::jump ||
                                 (end.kind == Terminator::Kind::branch && !machine.branch_remains(f, p));
            return p < b && goes_on && machine.first[p] == machine.first[before[0]];
        };
        const bool joined = !before.empty() && std::ranges::all_of(before, falls_in);
        machine.first.push_back(machine.issued_with[b] != b || joined ? machine.first[before[0]] : b);
    }
    return machine;
}

}  // namespace lockstep::machine
