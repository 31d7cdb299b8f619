// Approximations that take denormals scale their operand first, and the result. Where nobody else reads the
// operand it is scaled in place, under a predicate; else what of both is taken goes to another register
// (FMUL, FSEL). Where all that is under a predicate itself, the two conditions are put together (view.cc). A
// sine and a cosine of one angle turn it into revolutions once.
#include <algorithm>
#include <map>
#include <vector>

#include "kernel/graph.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using ptx::Operand;

bool is_approximate(const ptx::Instruction& inst) {
    return inst.has(ptx::Modifier::approx) && ptx::type_bits(inst.type()) == 32 &&
           inst.operands[1].kind == Operand::Kind::reg;
}

bool turns_angle(const ptx::Instruction& inst) {
    return is_approximate(inst) && (inst.opcode == ptx::Opcode::sin || inst.opcode == ptx::Opcode::cos);
}

}  // namespace

bool scales_operand(const ptx::Instruction& inst) {
    return is_approximate(inst) && !inst.has(ptx::Modifier::ftz) &&
           (inst.opcode == ptx::Opcode::lg2 || inst.opcode == ptx::Opcode::ex2 ||
            inst.opcode == ptx::Opcode::rsqrt);
}

void scale_operands(Selection& s) {
    const kernel::Function& f = s.function;
    const std::vector<BlockId> idom = kernel::dominators(f);
    std::map<kernel::RegId, std::vector<BlockId>> turned;  // angles, and where
    for (BlockId b = 0; b < f.blocks.size(); ++b)
        for (std::size_t i = 0; i < f.blocks[b].instructions.size(); ++i) {
            const ptx::Instruction& inst = f.blocks[b].instructions[i];
            Choice& choice = s.choices[b][i];
            if (choice.issues == 0) continue;
            if (scales_operand(inst) && s.uses.readers(inst.operands[1].id).size() > 1) ++choice.issues;
            if (!turns_angle(inst) || s.uses.writers(inst.operands[1].id).size() != 1) continue;
            auto& places = turned[inst.operands[1].id];
            if (std::ranges::any_of(places, [&](BlockId at) { return kernel::dominates(idom, at, b); }))
                --choice.issues;
            else
                places.push_back(b);
        }
}

}  // namespace lockstep::machine
