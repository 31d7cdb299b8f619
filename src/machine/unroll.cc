// Found by experiment: kernels that differ in one instruction or one turn, compiled by ptxas 13.0 for Hopper.
//
// - A counted loop is unrolled four times: a main loop while more than three turns are left, a copy for two
//   more, and for what is left the loop itself, or, where the counter is compared by size, one more copy.
//   That is up to a weight in which instructions of PTX are 1, accesses to memory 2 (stores to global memory
//   1), atomics more; it is higher with loads, for which there is then more to do meanwhile, and there sums
//   of addresses weigh nothing, all steps of them together 1.
// - A loop whose turns are a known number becomes straight code, or as many turns become one as fit into a
//   size together with those that are left over.
//   So does one that is left in its middle; the part behind that weighs as if the last turn had it, too.
//   What is computed of the counter and of others like it is then a constant, and pays for more.
// - `if`s that were predicated are part of a turn, but of a loop with a known number of turns only in
//   straight code.
// - A loop with barriers or exchanges between lanes is unrolled only if it counts to a constant or a
//   parameter.
// - Counters and pointers are then stepped once a trip.
#include "machine/unroll.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "kernel/graph.h"
#include "machine/ptxas.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Terminator;
using ptx::Modifier;
using ptx::Operand;

// Where the loop's branch goes back: its only block that has one, which it ends by itself or through an empty
// latch.
BlockId closing_block(const kernel::Function& f, const kernel::Loop& loop) {
    BlockId closing = kernel::no_block;
    for (BlockId p : f.blocks[loop.header].predecessors) {
        if (!loop.contains[p]) continue;
        const kernel::Block& latch = f.blocks[p];
        const bool empty = latch.is_latch && latch.instructions.empty() && latch.predecessors.size() == 1;
        if (closing != kernel::no_block) return kernel::no_block;
        closing = empty ? latch.predecessors[0] : p;
    }
    return closing;
}

// Blocks of the loop that every turn executes: they lie in one block of the machine, which other blocks may
// have been predicated into. Nothing where there are several of them.
std::vector<BlockId> blocks_of_turn(const kernel::Function& f, const kernel::Loop& loop,
                                    const MachineBlocks& machine) {
    std::vector<BlockId> blocks;
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        if (!loop.contains[b] || (f.blocks[b].is_latch && f.blocks[b].instructions.empty())) continue;
        if (machine.first[b] != loop.header) return {};
        if (machine.issued_with[b] == b) blocks.push_back(b);
    }
    return blocks;
}

// How a loop counts: the step of its counter, and the comparison behind it with something that does not move.
struct Counting {
    const ptx::Instruction* step = nullptr;
    const ptx::Instruction* comparison = nullptr;
};
Counting counting_of(const kernel::Function& f, const Uses& uses, const kernel::Loop& loop,
                     const std::vector<BlockId>& blocks, BlockId closing) {
    const Terminator& end = f.blocks[closing].terminator;
    if (end.kind != Terminator::Kind::branch || !end.guard) return {};
    const auto stays = [&](const Operand& bound) {
        if (bound.kind != Operand::Kind::reg) return bound.kind == Operand::Kind::integer;
        return std::ranges::none_of(uses.writers(bound.id),
                                    [&](const Place& place) { return loop.contains[place.block]; });
    };
    std::vector<const ptx::Instruction*> steps;
    for (BlockId b : blocks)
        for (const ptx::Instruction& inst : f.blocks[b].instructions) {
            if (is_step(inst)) steps.push_back(&inst);
            if (inst.opcode != ptx::Opcode::setp || inst.operands[0].kind != Operand::Kind::reg ||
                inst.operands[0].id != end.guard->reg || inst.operands[1].kind != Operand::Kind::reg ||
                !stays(inst.operands[2]))
                continue;
            for (const ptx::Instruction* step : steps)
                if (step->operands[0].id == inst.operands[1].id) return {step, &inst};
        }
    return {};
}

// The same where the loop is left by a block in its middle, at one value of a counter that is stepped behind
// it.
Counting counting_in_the_middle(const kernel::Function& f, const Uses& uses, const kernel::Loop& loop,
                                BlockId leaving) {
    const Terminator& end = f.blocks[leaving].terminator;
    if (end.kind != Terminator::Kind::branch || !end.guard || uses.writers(end.guard->reg).size() != 1)
        return {};
    const Place asked = uses.writers(end.guard->reg)[0];
    const ptx::Instruction& comparison = *uses.at(asked);
    if (comparison.opcode != ptx::Opcode::setp || asked.block != leaving ||
        (!comparison.has(Modifier::eq) && !comparison.has(Modifier::ne)) ||
        comparison.operands[1].kind != Operand::Kind::reg)
        return {};
    for (const Place& place : uses.writers(comparison.operands[1].id)) {
        const ptx::Instruction* step = uses.at(place);
        if (loop.contains[place.block] && place.block != leaving && step && is_step(*step))
            return {step, &comparison};
    }
    return {};
}

// The number of turns, where it begins and ends with constants.
std::optional<std::uint64_t> known_turns(const Uses& uses, const kernel::Loop& loop,
                                         const Counting& counting) {
    const Operand& bound = counting.comparison->operands[2];
    if (bound.kind != Operand::Kind::integer) return {};
    const Operand* start = nullptr;
    for (const Place& place : uses.writers(counting.step->operands[0].id)) {
        if (loop.contains[place.block]) continue;
        const ptx::Instruction* first = uses.at(place);
        if (start || !first || first->opcode != ptx::Opcode::mov ||
            first->operands[1].kind != Operand::Kind::integer)
            return {};
        start = &first->operands[1];
    }
    if (!start) return {};
    const auto of = [](const Operand& operand) { return static_cast<std::int64_t>(operand.bits); };
    const std::int64_t distance = of(bound) - of(*start);
    const std::int64_t step = counting.step->opcode == ptx::Opcode::sub ? -of(counting.step->operands[2])
                                                                        : of(counting.step->operands[2]);
    if (step == 0 || (distance > 0) != (step > 0)) return {};
    const auto turns = static_cast<std::uint64_t>((distance + step + (step > 0 ? -1 : 1)) / step);
    const bool inclusive = counting.comparison->has(Modifier::le) || counting.comparison->has(Modifier::ge);
    return turns + (inclusive && distance % step == 0 ? 1 : 0);
}

// A constant, or a parameter of the kernel as it is.
bool is_given(const Uses& uses, const Operand& value) {
    if (value.kind != Operand::Kind::reg) return value.kind == Operand::Kind::integer;
    const ptx::Instruction* writer = uses.writer(value);
    if (!writer) return false;
    return writer->has(Modifier::param) ||
           (writer->opcode == ptx::Opcode::mov && is_given(uses, writer->operands[1]));
}

// A load of less than 32 bits that others than conversions to floats read.
bool is_made_wider(const Uses& uses, const ptx::Instruction& load) {
    if (load.opcode != ptx::Opcode::ld || ptx::type_bits(load.type()) >= 32) return false;
    if (load.operands[0].kind != Operand::Kind::reg) return true;
    return std::ranges::any_of(uses.readers(load.operands[0].id), [&](const Place& place) {
        const ptx::Instruction* reader = uses.at(place);
        return !reader || reader->opcode != ptx::Opcode::cvt || !ptx::is_float(reader->type());
    });
}

// What an instruction weighs before ptxas folds it.
int weight_of(const Selection& s, const ptx::Instruction& inst, const Choice& choice) {
    if (inst.opcode == ptx::Opcode::cvta || inst.has(Modifier::param)) return 0;
    if (inst.opcode == ptx::Opcode::mov) return 0;
    const bool joined = inst.has(Modifier::add) && !ptx::is_float(inst.type());
    if (inst.syntax().family == ptx::Family::atomic && joined) return ptxas::unroll_weight_atomic;
    if (choice.row().access != Access::none)
        return ptxas::unroll_weight_access + (is_made_wider(s.uses, inst) ? 1 : 0);
    const bool divides = inst.opcode == ptx::Opcode::div || inst.opcode == ptx::Opcode::rem;
    if (ptx::type_bits(inst.type()) == 64 && !divides) return 1;
    return std::max(1, plain_choice(inst, *s.function.module, s.generation).issues);
}

// What a turn whose number is known makes constants: registers that are stepped from a constant, and all that
// is computed of these alone; and choices by such conditions, which are no work then.
std::set<const ptx::Instruction*> constant_in_turn(const Selection& s, const kernel::Loop& loop) {
    const kernel::Function& f = s.function;
    std::set<kernel::RegId> known;
    std::set<const ptx::Instruction*> found;
    const auto is_known = [&](kernel::RegId reg) { return known.contains(reg); };
    const auto is_stepped = [&](const ptx::Instruction& step) {
        int inside = 0;
        for (const Place& place : s.uses.writers(step.operands[0].id)) {
            const ptx::Instruction* writer = s.uses.at(place);
            if (loop.contains[place.block])
                ++inside;
            else if (!writer || writer->opcode != ptx::Opcode::mov ||
                     writer->operands[1].kind != Operand::Kind::integer)
                return false;
        }
        return inside == 1;
    };
    const auto is_computed = [&](const ptx::Instruction& inst) {
        const ptx::Family family = inst.syntax().family;
        if (inst.opcode == ptx::Opcode::selp)
            return inst.operands[3].kind == Operand::Kind::reg && is_known(inst.operands[3].id);
        const bool pure = family == ptx::Family::integer || family == ptx::Family::logic ||
                          family == ptx::Family::compare || family == ptx::Family::convert;
        if (!pure || inst.guard || is_step(inst)) return false;
        const auto sources = kernel::registers_read(f, inst);
        return !sources.empty() && std::ranges::all_of(sources, is_known);
    };
    for (BlockId b = 0; b < f.blocks.size(); ++b)
        for (const ptx::Instruction& inst : f.blocks[b].instructions)
            if (loop.contains[b] && is_step(inst) && is_stepped(inst)) known.insert(inst.operands[0].id);
    for (BlockId b = 0; b < f.blocks.size(); ++b)
        for (const ptx::Instruction& inst : f.blocks[b].instructions) {
            if (!loop.contains[b] || !is_computed(inst)) continue;
            found.insert(&inst);
            for (kernel::RegId r : kernel::registers_written(f, inst))
                if (s.uses.writers(r).size() == 1 &&
                    std::ranges::all_of(kernel::registers_read(f, inst), is_known))
                    known.insert(r);
        }
    return found;
}

bool is_wide_sum(const ptx::Instruction& inst) {
    return inst.opcode == ptx::Opcode::add && ptx::type_bits(inst.type()) == 64 &&
           !ptx::is_float(inst.type());
}

// What the loop leaves as it is, or steps by such values.
bool is_steady(const Selection& s, const kernel::Loop& loop, const Operand& value, int depth = 0) {
    constexpr int deepest = 8;
    if (value.kind != Operand::Kind::reg) return true;
    if (depth == deepest) return false;
    return std::ranges::all_of(s.uses.writers(value.id), [&](const Place& place) {
        if (!loop.contains[place.block]) return true;
        const ptx::Instruction& writer = *s.uses.at(place);
        if (!is_wide_sum(writer)) return false;
        return std::ranges::all_of(writer.operands, [&](const Operand& operand) {
            return (operand.kind == Operand::Kind::reg && operand.id == value.id) ||
                   is_steady(s, loop, operand, depth + 1);
        });
    });
}

// A sum that a steady address needs, or that the product of an index takes in.
bool is_address_sum(const Selection& s, const kernel::Loop& loop, const ptx::Instruction& sum) {
    if (!is_wide_sum(sum)) return false;
    const auto is_index = [&](const Operand& operand) {
        const ptx::Instruction* writer = s.uses.writer(operand);
        return writer && writer->opcode == ptx::Opcode::mul && writer->has(Modifier::wide);
    };
    return is_index(sum.operands[1]) || is_index(sum.operands[2]) ||
           (is_steady(s, loop, sum.operands[1]) && is_steady(s, loop, sum.operands[2]));
}

struct Body {
    int weight = 0;
    int addresses = 0;  // of it: sums of addresses, but one for all that are stepped
    int stores = 0;     // … and what stores to global memory weigh more than other instructions
    int limit = 0;
    bool loads = false;                           // from global memory
    bool conditions = false;                      // it has `if`s
    bool together = false;                        // it has barriers or exchanges between lanes
    std::set<const ptx::Instruction*> constants;  // once the turn is known
};
// Nothing where something in the loop stands in the way: a fence, a call, a product of matrices, a branch of
// an expansion.
std::optional<Body> body_of(const Selection& s, const kernel::Loop& loop, const Counting& counting) {
    Body body;
    bool accesses = false;
    bool steps = false;
    int shared_loads = 0;
    for (BlockId b = 0; b < s.function.blocks.size(); ++b) {
        if (!loop.contains[b]) continue;
        const kernel::Block& block = s.function.blocks[b];
        for (std::size_t i = 0; i < block.instructions.size(); ++i) {
            const ptx::Instruction& inst = block.instructions[i];
            const Choice& choice = s.choices[b][i];
            const ptx::Family family = inst.syntax().family;
            const bool fence = inst.opcode == ptx::Opcode::membar || inst.opcode == ptx::Opcode::fence;
            if (fence || family == ptx::Family::control || family == ptx::Family::matrix || inst.no_unroll ||
                choice.branches)
                return {};
            if (&inst == counting.step || &inst == counting.comparison) continue;
            body.weight += weight_of(s, inst, choice);
            if (is_address_sum(s, loop, inst)) {
                ++body.addresses;
                steps = steps || (inst.operands[1].kind == Operand::Kind::reg &&
                                  inst.operands[1].id == inst.operands[0].id);
            }
            const bool stores = choice.row().access == Access::store;
            body.stores += stores ? ptxas::unroll_weight_access - 1 : 0;
            body.together = body.together || family == ptx::Family::barrier || family == ptx::Family::warp;
            accesses = accesses || (choice.row().access != Access::none && !stores);
            body.loads = body.loads || choice.row().access == Access::load;
            shared_loads += choice.row().access == Access::shared_load ? 1 : 0;
        }
        const bool asks = block.terminator.kind == Terminator::Kind::branch &&
                          block.terminator.guard->reg != counting.comparison->operands[0].id;
        if (asks || (block.terminator.kind == Terminator::Kind::jump && block.terminator.has_instruction &&
                     !block.is_latch))
            ++body.weight, body.conditions = true;
    }
    if (body.weight == 0) return {};
    body.addresses -= steps ? 1 : 0;
    body.constants = constant_in_turn(s, loop);
    body.constants.erase(counting.comparison);
    body.limit = ptxas::unroll_limit + (accesses ? 1 : 0) +
                 std::min(ptxas::unroll_shared_load * shared_loads, ptxas::unroll_shared_loads);
    if (body.loads) body.limit = std::max(body.limit, ptxas::unroll_limit_loads);
    return body;
}

// Four turns at once, asked for as often as it takes.
Unrolling four_turns(const Selection& s, const Body& body, const Counting& counting, BlockId closing) {
    const bool counts_down = counting.comparison->has(Modifier::ne);
    Unrolling how{.turns = ptxas::unroll_factor, .rest = counts_down ? Rest::loop : Rest::one};
    // Copies are predicated as short `if`s are, but not to wait for their loads.
    if (body.loads) return how;
    const int limit = s.shapes.divergent[closing] ? ptxas::predicate_limit : ptxas::predicate_limit_uniform;
    how.half_predicated = 2 * body.weight + 2 <= limit;
    how.last_predicated = how.rest == Rest::one && body.weight <= limit;
    return how;
}

// A loop with a known number of turns, which need not be asked for.
std::optional<Unrolling> known_number(std::uint64_t turns, const Body& body) {
    // The more of it goes away then, the more is made straight.
    const double share = static_cast<double>(body.constants.size()) / static_cast<double>(body.weight);
    const double straight =
        std::clamp(ptxas::straight_growth * std::pow(static_cast<double>(turns), ptxas::straight_power),
                   ptxas::straight_least, ptxas::straight_most) *
        std::exp(ptxas::straight_counter * share);
    const auto weight = static_cast<std::uint64_t>(body.weight);
    if (static_cast<double>(turns * weight) <= straight)
        return Unrolling{.turns = static_cast<std::uint32_t>(turns), .rest = Rest::none};
    if (body.conditions || body.weight > ptxas::unroll_body) return {};
    for (std::uint64_t factor = std::min<std::uint64_t>(turns / 2, ptxas::unroll_size / weight); factor > 1;
         --factor)
        if ((factor + turns % factor) * weight <= ptxas::unroll_size)
            return Unrolling{.turns = static_cast<std::uint32_t>(factor), .rest = Rest::copies};
    return {};
}

}  // namespace

bool is_step(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) &&
           inst.operands.size() == 3 && inst.operands[0].kind == Operand::Kind::reg &&
           inst.operands[1].kind == Operand::Kind::reg && inst.operands[0].id == inst.operands[1].id &&
           inst.operands[2].kind == Operand::Kind::integer;
}

std::vector<UnrolledLoop> unrolled_loops(const Selection& s, const MachineBlocks& machine) {
    const kernel::Function& f = s.function;
    std::vector<UnrolledLoop> result;
    for (const kernel::Loop& loop : f.loops) {
        const BlockId closing = closing_block(f, loop);
        std::vector<BlockId> blocks = blocks_of_turn(f, loop, machine);
        if (closing == kernel::no_block || blocks.empty()) continue;
        const Counting counting = counting_of(f, s.uses, loop, blocks, closing);
        if (!counting.step) continue;
        const std::optional<Body> body = body_of(s, loop, counting);
        if (!body || (body->together && !is_given(s.uses, counting.comparison->operands[2]))) continue;
        const bool is_unsigned = ptx::type_class(counting.comparison->type()) == ptx::TypeClass::unsigned_int;
        UnrolledLoop unrolled{.header = loop.header,
                              .closing = closing,
                              .blocks = std::move(blocks),
                              .how = {},
                              .asks_more = is_unsigned && !body->loads};
        if (const auto turns = known_turns(s.uses, loop, counting)) {
            const auto how = known_number(*turns, *body);
            if (!how) continue;
            unrolled.how = *how;
            unrolled.constants = body->constants;
        } else {
            // With loads to wait for, addresses are free.
            const int light = body->stores + (body->loads ? body->addresses : 0);
            if (body->weight - light > body->limit) continue;
            unrolled.how = four_turns(s, *body, counting, closing);
        }
        result.push_back(std::move(unrolled));
    }
    return result;
}

std::vector<UnrolledLoop> loops_left_in_the_middle(const Selection& s, const MachineBlocks& machine) {
    const kernel::Function& f = s.function;
    std::vector<UnrolledLoop> result;
    for (const kernel::Loop& loop : f.loops) {
        UnrolledLoop straight{.header = loop.header, .closing = kernel::no_block, .blocks = {}, .how = {}};
        bool fits = closing_block(f, loop) != kernel::no_block;
        for (BlockId b = 0; b < f.blocks.size() && fits; ++b) {
            if (!loop.contains[b]) continue;
            if (machine.issued_with[b] == b) straight.blocks.push_back(b);
            const Terminator& end = f.blocks[b].terminator;
            if (std::ranges::all_of(end.targets, [&](BlockId to) { return bool{loop.contains[to]}; })) {
                fits = end.kind == Terminator::Kind::jump || machine.first[b] == loop.header;
            } else {
                fits = straight.closing == kernel::no_block && machine.first[b] == loop.header;
                straight.closing = b;
            }
        }
        if (!fits || straight.closing == kernel::no_block || closing_block(f, loop) == straight.closing)
            continue;
        const Counting counting = counting_in_the_middle(f, s.uses, loop, straight.closing);
        if (!counting.step) continue;
        const std::optional<Body> body = body_of(s, loop, counting);
        const auto turns = known_turns(s.uses, loop, counting);
        if (!body || !turns) continue;
        // It is asked before the step.
        const auto how = known_number(*turns + 1, *body);
        if (!how || how->rest != Rest::none) continue;
        straight.how = *how;
        straight.constants = body->constants;
        result.push_back(std::move(straight));
    }
    return result;
}

bool is_loop_overhead(const kernel::Function& f, const UnrolledLoop& loop, const ptx::Instruction& inst) {
    const Terminator& end = f.blocks[loop.closing].terminator;
    if (is_step(inst)) return true;
    if (loop.how.rest == Rest::none && loop.constants.contains(&inst)) return true;
    return inst.opcode == ptx::Opcode::setp && end.guard && inst.operands[0].kind == Operand::Kind::reg &&
           inst.operands[0].id == end.guard->reg;
}

}  // namespace lockstep::machine
