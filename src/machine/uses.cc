#include "machine/uses.h"

#include "kernel/graph.h"

namespace lockstep::machine {

Uses::Uses(const kernel::Function& function)
    : function_(function), writers_(function.registers.size()), readers_(function.registers.size()) {
    for (kernel::BlockId b = 0; b < function.blocks.size(); ++b) {
        const kernel::Block& block = function.blocks[b];
        std::int32_t i = 0;
        for (const ptx::Instruction& instruction : block.instructions) {
            for (kernel::RegId r : kernel::registers_read(function, instruction))
                readers_[r].push_back({b, i});
            for (kernel::RegId r : kernel::registers_written(function, instruction))
                writers_[r].push_back({b, i});
            ++i;
        }
        if (block.terminator.guard) readers_[block.terminator.guard->reg].push_back({b, i});
        if (block.terminator.index.kind == ptx::Operand::Kind::reg)
            readers_[block.terminator.index.id].push_back({b, i});
    }
}

const ptx::Instruction* Uses::at(Place place) const {
    const auto& instructions = function_.blocks[place.block].instructions;
    return place.index < static_cast<std::int32_t>(instructions.size()) ? &instructions[place.index]
                                                                        : nullptr;
}

const ptx::Instruction* Uses::writer(const ptx::Operand& operand) const {
    if (operand.kind != ptx::Operand::Kind::reg || writers_[operand.id].size() != 1) return nullptr;
    return at(writers_[operand.id][0]);
}

}  // namespace lockstep::machine
