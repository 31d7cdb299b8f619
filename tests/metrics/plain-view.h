// A machine view in which every PTX instruction is one machine instruction: what tests compute with by hand.
#pragma once
#include "events/observer.h"
#include "machine/view.h"

namespace lockstep::counters {

inline std::vector<machine::View> plain_views(const kernel::Kernel& kernel) {
    std::vector<machine::View> views;
    for (const kernel::Function& function : kernel.functions) {
        machine::View& view = views.emplace_back();
        view.registers = 16;
        for (kernel::BlockId b = 0; b < function.blocks.size(); ++b) {
            const kernel::Block& block = function.blocks[b];
            machine::Block& made = view.blocks.emplace_back();
            made.issued_with = b;
            for (std::size_t i = 0; i < block.instructions.size(); ++i)
                made.code.push_back({.opcode = machine::Opcode::iadd3,
                                     .ptx = static_cast<std::int32_t>(i),
                                     .guarded = block.instructions[i].guard.has_value()});
            if (block.terminator.has_instruction)
                made.code.push_back({.opcode = machine::Opcode::bra,
                                     .branches = block.terminator.kind == kernel::Terminator::Kind::branch,
                                     .ptx = static_cast<std::int32_t>(block.instructions.size())});
        }
    }
    for (const kernel::Site& site : kernel.sites)
        if (site.kind != kernel::SiteKind::none) {
            auto& instruction = views[site.function].blocks[site.block].code[site.instruction];
            instruction.access_bytes = static_cast<std::uint16_t>(site.bytes);
            instruction.opcode = machine::Opcode::ldg;
        }
    return views;
}

}  // namespace lockstep::counters
