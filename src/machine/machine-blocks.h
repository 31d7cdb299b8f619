// Which blocks of PTX are one block of the machine, when branches have become predicates.
#pragma once
#include <vector>

#include "kernel/ir.h"

namespace lockstep::machine {

struct MachineBlocks {
    // By block: the block with whose code it is issued, itself where it was not predicated.
    std::vector<kernel::BlockId> issued_with;
    // By block: the first block of those that lie in one of the machine with it.
    std::vector<kernel::BlockId> first;

    bool is_predicated_into(kernel::BlockId side, kernel::BlockId head) const {
        return issued_with[side] == issued_with[head] && side != head;
    }
    // A branch is gone when a side of it was predicated.
    bool branch_remains(const kernel::Function& function, kernel::BlockId block) const;
};

MachineBlocks machine_blocks(const kernel::Function& function, std::vector<kernel::BlockId> issued_with);

}  // namespace lockstep::machine
