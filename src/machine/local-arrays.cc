// Small arrays of a thread whose index only the running program knows. PTX has them in local memory; ptxas
// keeps them in registers where that seems cheaper: a load then compares the index with each place and takes
// the one that is meant, a store compares and replaces.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "kernel/graph.h"
#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::RegId;
using ptx::Modifier;
using ptx::Operand;

constexpr int word = 4;

// Where a register points to.
struct Pointer {
    std::uint32_t variable = 0;
    std::int64_t offset = 0;  // of the variable's begin, without the index
    bool by_index = false;    // an index was added
};

struct ArrayAccess {
    Place place;
    std::int64_t offset = 0;
    RegId address = 0;
    bool by_index = false, store = false, words = false;
};

struct Variable {
    std::vector<ArrayAccess> accesses;
    bool escapes = false;  // somebody else may look at it
};

class LocalArrays {
  public:
    explicit LocalArrays(Selection& selection)
        : s_(selection),
          f_(selection.function),
          idom_(kernel::dominators(f_)),
          ipdom_(kernel::post_dominators(f_)) {}

    void run() {
        find_pointers();
        if (variables_.empty()) return;
        for (BlockId b = 0; b < f_.blocks.size(); ++b)
            if (const auto value = compared(b)) switched_.push_back(*value);
        for (const auto& [id, variable] : variables_) consider(variable, f_.variables[id].size());
        if (!kept_.empty()) forget_addresses();
    }

  private:
    // From the names of variables on, through sums and copies, to the accesses.
    void find_pointers() {
        std::vector<RegId> open;
        const auto found = [&](const ptx::Instruction& inst, Pointer pointer) {
            const RegId reg = inst.operands[0].id;
            if (s_.uses.writers(reg).size() != 1)
                variables_[pointer.variable].escapes = true;
            else if (pointers_.try_emplace(reg, pointer).second)
                open.push_back(reg);
        };
        for (const kernel::Block& block : f_.blocks)
            for (const ptx::Instruction& inst : block.instructions)
                for (std::size_t i = 0; i < inst.operands.size(); ++i) look_for_variable(inst, i, found);
        while (!open.empty()) {
            const RegId reg = open.back();
            open.pop_back();
            const Pointer pointer = pointers_.at(reg);
            for (const Place& place : s_.uses.readers(reg)) follow(reg, pointer, place, found);
        }
    }

    template <class Found>
    void look_for_variable(const ptx::Instruction& inst, std::size_t i, const Found& found) {
        const Operand& operand = inst.operands[i];
        const Operand& base = operand.kind == Operand::Kind::address && !operand.elements.empty()
                                  ? operand.elements[0]
                                  : operand;
        if (base.kind != Operand::Kind::variable || !base.local ||
            f_.variables[base.id].space != ptx::Space::local)
            return;
        if (inst.opcode == ptx::Opcode::mov && i == 1)
            found(inst, {base.id, base.offset, false});
        else
            variables_[base.id].escapes = true;  // an access by name: no array of nvcc's
    }

    template <class Found>
    void follow(RegId reg, const Pointer& pointer, Place place, const Found& found) {
        Variable& variable = variables_[pointer.variable];
        const ptx::Instruction* inst = s_.uses.at(place);
        const auto is = [&](const Operand& operand) {
            return operand.kind == Operand::Kind::reg && operand.id == reg;
        };
        if (!inst || inst->guard) {
            variable.escapes = true;
        } else if (inst->opcode == ptx::Opcode::mov && is(inst->operands[1])) {
            found(*inst, pointer);
        } else if (inst->opcode == ptx::Opcode::add && ptx::type_bits(inst->type()) == 64) {
            const Operand& other = inst->operands[is(inst->operands[1]) ? 2 : 1];
            if (other.kind == Operand::Kind::integer) {
                Pointer moved = pointer;
                moved.offset += static_cast<std::int64_t>(other.bits);
                found(*inst, moved);
            } else if (!pointer.by_index && other.kind == Operand::Kind::reg) {
                found(*inst, {pointer.variable, pointer.offset, true});
            } else {
                variable.escapes = true;
            }
        } else if ((inst->opcode == ptx::Opcode::ld || inst->opcode == ptx::Opcode::st) &&
                   inst->has(Modifier::local) && !inst->has(Modifier::volatile_)) {
            access(reg, pointer, place, *inst, variable);
        } else {
            variable.escapes = true;
        }
    }

    void access(RegId reg, const Pointer& pointer, Place place, const ptx::Instruction& inst,
                Variable& variable) {
        const bool store = inst.opcode == ptx::Opcode::st;
        const Operand& address = inst.operands[store ? 0 : 1];
        const Operand& value = inst.operands[store ? 1 : 0];
        const auto is_pointer = [&](const Operand& operand) {
            return operand.kind == Operand::Kind::reg && operand.id == reg;
        };
        if (is_pointer(value) || std::ranges::any_of(value.elements, is_pointer)) {
            variable.escapes = true;
            return;
        }
        variable.accesses.push_back({.place = place,
                                     .offset = pointer.offset + address.offset,
                                     .address = reg,
                                     .by_index = pointer.by_index,
                                     .store = store,
                                     .words = ptx::type_bytes(inst.type()) == word &&
                                              (!pointer.by_index || value.kind != Operand::Kind::vector)});
    }

    // nvcc has all arrays of a thread in one variable, and ptxas keeps all of them in registers, or none.
    void consider(const Variable& variable, std::uint64_t bytes) {
        const auto& accesses = variable.accesses;
        const bool indexed = std::ranges::any_of(accesses, &ArrayAccess::by_index);
        if (variable.escapes || !indexed || !std::ranges::all_of(accesses, &ArrayAccess::words)) return;
        const auto places = static_cast<int>(bytes / word);
        const bool read = std::ranges::any_of(
            accesses, [](const ArrayAccess& access) { return access.by_index && !access.store; });
        if ((read && places > ptxas::array_most_places) || cost(accesses, places) > 0) return;
        for (const ArrayAccess& access : accesses) keep(access, accesses, places);
        s_.array_registers += places;
        s_.array_bytes += static_cast<std::uint32_t>(bytes);
    }

    // The load of the place that a store writes, in its block.
    static bool has_load(const ArrayAccess& store, const std::vector<ArrayAccess>& accesses) {
        return std::ranges::any_of(accesses, [&](const ArrayAccess& other) {
            return !other.store && other.by_index && other.place.block == store.place.block &&
                   other.address == store.address && other.offset == store.offset;
        });
    }

    // What registers cost more than memory, as ptxas sees it: below zero they are the better place. Where no
    // place is ever named by a constant, memory always is.
    double cost(const std::vector<ArrayAccess>& accesses, int places) const {
        double sum = 0, saved = 0;
        for (const ArrayAccess& access : accesses) {
            const ptx::Instruction& inst = *s_.uses.at(access.place);
            if (!access.by_index) {
                const Operand& value = inst.operands[access.store ? 1 : 0];
                saved += value.kind == Operand::Kind::vector ? static_cast<double>(value.elements.size()) : 1;
                continue;
            }
            const double share = std::pow(0.5, conditions(access.place.block)) * places;
            const double turns = std::pow(ptxas::array_turns, loops(access.place.block));
            const bool both = access.store && has_load(access, accesses);
            const double a_place = access.store ? ptxas::array_store : ptxas::array_load;
            const double free = both           ? ptxas::array_free_both
                                : access.store ? ptxas::array_free_store
                                               : ptxas::array_free_load;
            sum += turns * a_place * (share - free);
        }
        return saved > 0 ? sum - saved / 2 : 1;
    }

    int loops(BlockId b) const {
        int depth = 0;
        for (int loop = f_.blocks[b].loop; loop >= 0; loop = f_.loops[static_cast<std::size_t>(loop)].parent)
            ++depth;
        return depth;
    }

    // What a branch compares with a constant, if nothing else.
    std::optional<RegId> compared(BlockId b) const {
        const kernel::Terminator& end = f_.blocks[b].terminator;
        if (end.kind != kernel::Terminator::Kind::branch || !end.guard) return {};
        const auto& writers = s_.uses.writers(end.guard->reg);
        const ptx::Instruction* asked = writers.size() == 1 ? s_.uses.at(writers[0]) : nullptr;
        if (!asked || asked->opcode != ptx::Opcode::setp || asked->operands[1].kind != Operand::Kind::reg ||
            asked->operands[2].kind != Operand::Kind::integer)
            return {};
        return asked->operands[1].id;
    }

    // Whether the branch is part of a switch: others compare the same.
    bool is_of_switch(BlockId b) const {
        const auto value = compared(b);
        return value && std::ranges::count(switched_, *value) > 1;
    }

    // Conditions that the block depends on, besides those of a switch and those by which threads leave and
    // loops begin and end.
    int conditions(BlockId b) const {
        int depth = 0;
        for (BlockId child = b, d = idom_[b]; d != kernel::no_block && child != d; child = d, d = idom_[d]) {
            const kernel::Terminator& end = f_.blocks[d].terminator;
            if (end.kind != kernel::Terminator::Kind::branch) continue;
            const bool over = ipdom_[d] != kernel::no_block && kernel::dominates(idom_, ipdom_[d], b);
            const bool leaves = std::ranges::any_of(end.targets, [&](BlockId t) { return leads_out(f_, t); });
            if (!over && !leaves && !begins_loop(child) && !ends_loop(d) && !is_of_switch(d)) ++depth;
        }
        return depth;
    }
    // A loop with a remainder has a guard for the remainder behind its own.
    bool begins_loop(BlockId b) const {
        const kernel::Terminator& end = f_.blocks[b].terminator;
        const auto enters = [&](BlockId block) {
            const kernel::Terminator& way = f_.blocks[block].terminator;
            return is_header(way.kind == kernel::Terminator::Kind::jump && !is_header(block) ? way.targets[0]
                                                                                             : block);
        };
        return enters(b) || (end.kind == kernel::Terminator::Kind::branch && end.guard &&
                             std::ranges::any_of(end.targets, enters));
    }
    bool is_header(BlockId b) const {
        const int loop = f_.blocks[b].loop;
        return loop >= 0 && f_.loops[static_cast<std::size_t>(loop)].header == b;
    }
    bool ends_loop(BlockId b) const {
        const int loop = f_.blocks[b].loop;
        if (loop < 0) return false;
        const auto& contains = f_.loops[static_cast<std::size_t>(loop)].contains;
        return std::ranges::any_of(f_.blocks[b].terminator.targets, [&](BlockId t) { return !contains[t]; });
    }

    void keep(const ArrayAccess& access, const std::vector<ArrayAccess>& accesses, int places) {
        kept_.insert(access.address);
        const ptx::Instruction& inst = *s_.uses.at(access.place);
        if (access.by_index) {
            // The index as a distance, and one comparison and one move a place; a store behind its load has
            // compared already. More comparisons than there are predicates have to be kept elsewhere.
            const bool compared = access.store && has_load(access, accesses);
            const int more = places > ptxas::predicates ? ptxas::array_kept_issues : 0;
            s_.at(access.place) = {Opcode::mov, places};
            if (!compared)
                s_.additions[access.place.block].push_back(
                    {.opcode = Opcode::isetp, .issues = static_cast<std::uint16_t>(1 + places + more)});
            return;
        }
        // What a place holds from the beginning is moved there; all else is computed where it belongs.
        int moves = 0;
        const auto count = [&](const Operand& value) {
            const ptx::Instruction* writer = s_.uses.writer(value);
            moves += value.kind != Operand::Kind::reg || (writer && writer->opcode == ptx::Opcode::mov &&
                                                          writer->operands[1].kind != Operand::Kind::reg);
        };
        if (access.store) {
            const Operand& value = inst.operands[1];
            if (value.kind == Operand::Kind::vector)
                std::ranges::for_each(value.elements, count);
            else
                count(value);
        }
        s_.at(access.place) = {Opcode::mov, moves};
    }

    // Addresses of places that are registers now need not be computed.
    void forget_addresses() {
        std::vector<RegId> open(kept_.begin(), kept_.end());
        std::set<RegId> dead(kept_.begin(), kept_.end());
        while (!open.empty()) {
            const RegId reg = open.back();
            open.pop_back();
            const Place place = s_.uses.writers(reg)[0];
            const ptx::Instruction* writer = s_.uses.at(place);
            if (!writer || s_.at(place).row().access != Access::none) continue;
            s_.fold(place);
            for (const Operand& operand : writer->operands)
                if (operand.kind == Operand::Kind::reg && operand.id != reg &&
                    s_.uses.writers(operand.id).size() == 1 && feeds_only(operand.id, dead))
                    if (dead.insert(operand.id).second) open.push_back(operand.id);
        }
    }
    bool is_dead(const Place& place, const std::set<RegId>& dead) const {
        const ptx::Instruction* inst = s_.uses.at(place);
        return inst && !inst->operands.empty() && inst->operands[0].kind == Operand::Kind::reg &&
               dead.contains(inst->operands[0].id);
    }
    // Steps on the way to an address: sums, products, shifts, wider integers.
    bool feeds_only(RegId reg, const std::set<RegId>& dead) const {
        const ptx::Instruction* writer = s_.uses.at(s_.uses.writers(reg)[0]);
        return writer && ptx::type_bits(f_.registers[reg].type) == 64 &&
               std::ranges::all_of(s_.uses.readers(reg),
                                   [&](const Place& reader) { return is_dead(reader, dead); });
    }

    Selection& s_;
    const kernel::Function& f_;
    std::vector<BlockId> idom_, ipdom_;
    std::map<RegId, Pointer> pointers_;
    std::map<std::uint32_t, Variable> variables_;
    std::vector<RegId> switched_;  // what branches compare with constants
    std::set<RegId> kept_;         // addresses of places that are registers
};

}  // namespace

void keep_local_arrays(Selection& selection) { LocalArrays(selection).run(); }

}  // namespace lockstep::machine
