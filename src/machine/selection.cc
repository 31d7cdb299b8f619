#include "machine/selection.h"

#include "kernel/graph.h"

namespace lockstep::machine {

Selection::Selection(const kernel::Function& function, const kernel::Shapes& shapes, Generation generation)
    : function(function),
      shapes(shapes),
      generation(generation),
      uses(function),
      additions(function.blocks.size()) {
    for (const kernel::Block& block : function.blocks) {
        std::vector<Choice>& row = choices.emplace_back();
        for (const ptx::Instruction& instruction : block.instructions)
            row.push_back(plain_choice(instruction, *function.module, generation));
    }
}

bool leads_out(const kernel::Function& function, kernel::BlockId block) {
    const kernel::Block& there = function.blocks[block];
    if (there.instructions.empty() && there.terminator.kind == kernel::Terminator::Kind::jump)
        block = there.terminator.targets[0];
    return kernel::is_leaving(function, block);
}

}  // namespace lockstep::machine
