// Values that the machine has or must fetch: parameters, special registers, immediates, addresses of
// variables.
#include <algorithm>
#include <map>
#include <set>

#include "kernel/graph.h"
#include "kernel/parameters.h"
#include "machine/expand.h"
#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using ptx::Modifier;
using ptx::Operand;
using ptx::SpecialRegister;

// Sizes of the grid and of the block are constants of the launch.
bool is_launch_constant(SpecialRegister reg) {
    return (reg >= SpecialRegister::ntid_x && reg <= SpecialRegister::ntid_z) ||
           (reg >= SpecialRegister::nctaid_x && reg <= SpecialRegister::nctaid_z);
}
bool changes(SpecialRegister reg) {
    return reg >= SpecialRegister::clock && reg <= SpecialRegister::globaltimer_hi;
}

class Loader {
  public:
    explicit Loader(Selection& selection) : s_(selection), idom_(kernel::dominators(selection.function)) {}

    void run() {
        for (BlockId b = 0; b < s_.function.blocks.size(); ++b) {
            const auto& instructions = s_.function.blocks[b].instructions;
            for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
                visit({b, i}, instructions[static_cast<std::size_t>(i)]);
        }
        prologue();
    }

  private:
    void visit(Place here, const ptx::Instruction& inst) {
        if (s_.function.entry && kernel::is_parameter_load(inst)) return parameter(here, inst);
        if (inst.opcode == ptx::Opcode::mov) move(here, inst);
        if (inst.opcode == ptx::Opcode::call) library_function(here, inst);
        for (const Operand& operand : inst.operands)
            if (operand.kind == Operand::Kind::address && !operand.elements.empty())
                base(here, operand.elements[0]);
    }

    // The constants of a math function, which is code in place of the call: made once in a block.
    void library_function(Place here, const ptx::Instruction& inst) {
        const LibraryConstants constants = library_constants(inst, *s_.function.module);
        if (!constants.issues) return;
        s_.at(here).issues -= constants.issues;
        if (functions_.insert({here.block, constants.function}).second)
            s_.additions[here.block].push_back(
                {.opcode = Opcode::mov, .issues = static_cast<std::uint16_t>(constants.issues)});
    }

    // A parameter is loaded in each block that needs it, for a loop before it.
    void parameter(Place here, const ptx::Instruction& inst) {
        Choice& choice = s_.at(here);
        choice = {Opcode::ldc, 0};
        if (!s_.generation.constant_loads) return;
        if (inst.operands[0].kind != Operand::Kind::reg) {
            choice.issues = 1;
            return;
        }
        std::set<BlockId> homes;
        find_homes(homes, inst.operands[0].id);
        // Neighbouring ones of 32 bits are loaded as one pair.
        const ConstantLoad load{kernel::parameter_offset(s_.function, inst) / 8,
                                ptx::type_bits(inst.type()) == 64};
        for (BlockId home : homes)
            if (home != here.block)
                s_.constant_loads[home].insert(load);
            else if (s_.constants_at_hand[home].insert(load).second)
                choice.issues = 1;
    }

    // The blocks that read the register; what only renames it is looked through.
    void find_homes(std::set<BlockId>& homes, kernel::RegId reg) const {
        for (const Place& place : s_.uses.readers(reg)) {
            const ptx::Instruction* reader = s_.uses.at(place);
            const bool renames =
                reader && (reader->opcode == ptx::Opcode::cvta || reader->opcode == ptx::Opcode::mov) &&
                reader->operands[0].kind == Operand::Kind::reg &&
                s_.uses.writers(reader->operands[0].id).size() == 1;
            if (renames)
                find_homes(homes, reader->operands[0].id);
            else
                homes.insert(before_loop(place.block));
        }
    }
    // Of a loop with no other loop in it.
    BlockId before_loop(BlockId block) const {
        const int loop = s_.function.blocks[block].loop;
        if (loop < 0 ||
            std::ranges::any_of(
                s_.function.loops, [&](const kernel::Loop& other) { return other.parent == loop; }))
            return block;
        const BlockId header = s_.function.loops[static_cast<std::size_t>(loop)].header;
        return idom_[header] == kernel::no_block ? block : idom_[header];
    }
    void join(BlockId& home, BlockId block) const {
        home = home == kernel::no_block ? block : kernel::common_dominator(idom_, home, block);
    }

    void move(Place here, const ptx::Instruction& inst) {
        Choice& choice = s_.at(here);
        const Operand& from = inst.operands[1];
        if (inst.operands[0].kind != Operand::Kind::reg) {  // unpacking
            choice.issues = ptx::type_bits(inst.type()) == 32 ? 1 : 0;
            return;
        }
        // One of a phi's values.
        const bool merges = s_.uses.writers(inst.operands[0].id).size() > 1 && !leaves_loop(here, inst);
        switch (from.kind) {
            case Operand::Kind::special: {
                const auto reg = static_cast<SpecialRegister>(from.id);
                if (reg == SpecialRegister::warp_size) {  // a number
                    choice.issues = 0;
                    break;
                }
                const bool constant = is_launch_constant(reg);
                choice = {constant ? Opcode::ldc : Opcode::s2r,
                          constant && !s_.generation.constant_loads ? 0 : 1};
                if (!changes(reg) && is_known(reg, here.block)) choice.issues = 0;
                break;
            }
            case Operand::Kind::integer:
            case Operand::Kind::f32:
            case Operand::Kind::f64:
                choice.issues = merges || needs_register(inst.operands[0].id, from.bits)
                                    ? (ptx::type_bits(inst.type()) == 64 && from.bits ? 2 : 1)
                                    : 0;
                break;
            case Operand::Kind::reg:
                choice.issues = merges && s_.uses.readers(from.id).size() > 1 ? 1 : 0;
                break;
            case Operand::Kind::vector: choice.issues = ptx::type_bits(inst.type()) == 32 ? 1 : 0; break;
            case Operand::Kind::variable:
                choice.issues = 0;
                base(here, from);
                break;
            default: break;
        }
    }

    // What only those behind a loop read: where the loop ends it is moved there once; elsewhere another
    // register is that value by then, but a constant is made each turn.
    bool leaves_loop(Place here, const ptx::Instruction& inst) const {
        const int loop = s_.function.blocks[here.block].loop;
        if (loop < 0) return false;
        const kernel::Loop& around = s_.function.loops[static_cast<std::size_t>(loop)];
        const auto& readers = s_.uses.readers(inst.operands[0].id);
        if (readers.empty() || std::ranges::any_of(readers, [&](const Place& place) {
                return bool{around.contains[place.block]};
            }))
            return false;
        return inst.operands[1].kind == Operand::Kind::reg || ends(here.block, around);
    }
    bool ends(BlockId block, const kernel::Loop& loop) const {
        return std::ranges::any_of(s_.function.blocks[block].terminator.targets, [&](BlockId target) {
            const kernel::Block& there = s_.function.blocks[target];
            return target == loop.header || (there.is_latch && there.instructions.empty());
        });
    }

    // Read before in what is one block with this one, whose barriers are no ends: where nvcc reads it once
    // more elsewhere, so does ptxas.
    bool is_known(SpecialRegister reg, BlockId block) {
        std::set<BlockId>& read = specials_[reg];
        const kernel::Function& f = s_.function;
        for (BlockId b = block; !read.contains(b); b = f.blocks[b].predecessors[0])
            if (f.blocks[b].predecessors.size() != 1 || f.blocks[b].predecessors[0] >= b ||
                f.blocks[f.blocks[b].predecessors[0]].terminator.kind != kernel::Terminator::Kind::jump) {
                read.insert(block);
                return false;
            }
        return true;
    }

    // Most instructions take a constant as it is; stores and calls want a register, which for zero is RZ.
    bool needs_register(kernel::RegId reg, std::uint64_t bits) const {
        if (bits == 0) return false;
        for (const Place& place : s_.uses.readers(reg)) {
            const ptx::Instruction* reader = s_.uses.at(place);
            if (!reader) continue;
            const ptx::Family family = reader->syntax().family;
            if (family == ptx::Family::memory || family == ptx::Family::atomic ||
                family == ptx::Family::control)
                return true;
        }
        return false;
    }

    // The address of a variable as a value. Shared memory has, from Hopper on, a place in a window that spans
    // a cluster: view.cc counts what that takes, once for what becomes one block.
    void base(Place here, const Operand& operand) {
        if (operand.kind != Operand::Kind::variable) return;
        const ptx::Variable& variable =
            operand.local ? s_.function.variables[operand.id] : s_.function.module->variables[operand.id];
        if (variable.space == ptx::Space::shared && s_.generation.shared_window) {
            const bool as_value = s_.uses.at(here)->opcode == ptx::Opcode::mov;
            s_.windows[outside_turns(here.block)].insert(as_value ? operand.id : Selection::any_shared);
        } else if (variable.space == ptx::Space::global) {
            const BlockId block = outside_loops(here.block);
            if (globals_.insert({block, operand.id}).second)
                s_.additions[block].push_back({.opcode = Opcode::uldc_64,
                                               .issues = s_.generation.constant_loads
                                                             ? ptxas::global_address_issues
                                                             : ptxas::global_address_issues_before_hopper});
        }
    }

    // What only some turns of a loop need stays in it.
    BlockId outside_turns(BlockId block) const {
        for (int loop = s_.function.blocks[block].loop; loop >= 0; loop = s_.function.blocks[block].loop) {
            const kernel::Loop& around = s_.function.loops[static_cast<std::size_t>(loop)];
            const BlockId before = idom_[around.header];
            if (before == around.header || before == kernel::no_block ||
                !is_every_turn(s_.function, idom_, around, block))
                break;
            block = before;
        }
        return block;
    }

    BlockId outside_loops(BlockId block) const {
        while (s_.function.blocks[block].loop >= 0) {
            int loop = s_.function.blocks[block].loop;
            while (s_.function.loops[static_cast<std::size_t>(loop)].parent >= 0)
                loop = s_.function.loops[static_cast<std::size_t>(loop)].parent;
            const BlockId header = s_.function.loops[static_cast<std::size_t>(loop)].header;
            if (idom_[header] == header || idom_[header] == kernel::no_block) return block;
            block = idom_[header];
        }
        return block;
    }

    // Every kernel loads its stack pointer; global accesses need a descriptor.
    void prologue() {
        if (!s_.function.entry) return;
        s_.additions[0].push_back(
            {.opcode = s_.generation.constant_loads ? Opcode::ldc : Opcode::mov_constant});
        if (!s_.generation.descriptor) return;
        BlockId home = kernel::no_block;
        for (BlockId b = 0; b < s_.choices.size(); ++b)
            for (const Choice& choice : s_.choices[b]) {
                if (is_global(choice.row().access)) join(home, b);
            }
        if (home != kernel::no_block)
            s_.additions[outside_loops(home)].push_back({.opcode = Opcode::uldc_64});
    }

    Selection& s_;
    std::vector<BlockId> idom_;
    std::map<SpecialRegister, std::set<BlockId>> specials_;  // where they were read
    std::set<std::pair<BlockId, std::uint32_t>> globals_, functions_;
};

}  // namespace

void load_constants(Selection& selection) { Loader(selection).run(); }

}  // namespace lockstep::machine
