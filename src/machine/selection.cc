#include "machine/selection.h"

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

Choice* Selection::of(const ptx::Operand& operand) {
    if (!uses.writer(operand)) return nullptr;
    return &at(uses.writers(operand.id)[0]);
}

}  // namespace lockstep::machine
