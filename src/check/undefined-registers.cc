// How undefined bytes spread from register to register.
#include <algorithm>
#include <bit>

#include "check/undefined-values.h"
#include "kernel/accesses.h"
#include "kernel/graph.h"
#include "kernel/operands.h"

namespace lockstep::check {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

// From the lowest such byte up: where a carry goes.
constexpr std::uint8_t and_above(std::uint8_t bytes) {
    return bytes ? static_cast<std::uint8_t>(~((bytes & -bytes) - 1)) : bytes;
}

// Which bytes of an immediate are 0, and which are 0xff.
std::uint8_t bytes_that_are(std::uint64_t bits, std::uint8_t byte) {
    std::uint8_t found = 0;
    for (int i = 0; i < 8; ++i)
        if ((bits >> 8 * i & 0xff) == byte) found |= static_cast<std::uint8_t>(1u << i);
    return found;
}

}  // namespace

const UndefinedValues::Value* UndefinedValues::value(const Operand& operand) const {
    if (operand.kind != Operand::Kind::reg) return nullptr;
    const auto found = warp_->values.find(operand.id);
    return found == warp_->values.end() ? nullptr : &found->second;
}

// Lanes of the register get this value. Where the instruction has a guard, whose value is not known here,
// what is defined on one of the two ways counts as defined.
void UndefinedValues::put(const ptx::Instruction& inst, const Operand& operand, const Value& value,
                          Lanes lanes) {
    if (operand.kind == Operand::Kind::pair) {
        for (const Operand& part : operand.elements) put(inst, part, value, lanes);
        return;
    }
    if (operand.kind != Operand::Kind::reg) return;
    const auto known = warp_->values.find(operand.id);
    const bool nothing = value.none();
    if (known == warp_->values.end() && nothing) return;
    // Accesses know which lanes took part.
    const bool guarded = inst.guard && kernel::accesses_of(function(), inst).empty();
    if (guarded && (known == warp_->values.end() || nothing)) {
        if (known == warp_->values.end()) return;
        each_lane(lanes, [&](int lane) { known->second.bytes[static_cast<std::size_t>(lane)] = 0; });
        if (known->second.none()) warp_->values.erase(known);
        return;
    }
    Value& after = warp_->values[operand.id];
    each_lane(lanes, [&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        const Lanes bit = Lanes{1} << lane;
        after.bytes[l] = guarded ? after.bytes[l] & value.bytes[l] : value.bytes[l];
        after.derived = (after.derived & ~bit) | (value.derived & bit);
        after.made_up = (after.made_up & ~bit) | (value.made_up & bit);
    });
    if (value.origin) after.origin = value.origin;
    if (after.none()) warp_->values.erase(operand.id);
}

void UndefinedValues::decides(const Value& value, Lanes lanes, const char* what, int source) {
    Lanes bad = 0;
    each_lane(lanes & ~value.made_up, [&](int lane) {
        if (value.bytes[static_cast<std::size_t>(lane)]) bad |= Lanes{1} << lane;
    });
    if (!bad || value.origin == 0) return;
    Decided& decided = decided_[{value.origin, what}];
    if (++decided.times == 1)
        decided.place = code_.place_of(
            function(), source, what,
            who_(static_cast<std::uint32_t>(block_number_), warp_number_, std::countr_zero(bad)));
}

// ---- code ----

void UndefinedValues::finish_block() {
    const kernel::NumberedBlock& at = code_.kernel->blocks[warp_->block];
    const kernel::Block& block = code_.kernel->functions[at.function].blocks[at.block];
    follow(warp_->block, static_cast<std::uint32_t>(block.instructions.size()));
    if (warp_->values.empty() && !nests_) return;
    if (block.terminator.guard) {
        Operand guard;
        guard.kind = Operand::Kind::reg;
        guard.id = block.terminator.guard->reg;
        if (const Value* const condition = value(guard))
            decides(*condition, warp_->lanes, "decides a branch", block.terminator.source);
    }
    // What always follows has no record of its own.
    if (block.terminator.kind != kernel::Terminator::Kind::jump) return;
    const std::uint32_t next = warp_->block - at.block + block.terminator.targets[0];
    if (code_.kernel->blocks[next].entered_with != code_.kernel->blocks[warp_->block].entered_with) return;
    warp_->block = next;
    warp_->next = 0;
    finish_block();
}

void UndefinedValues::follow(std::uint32_t numbered_block, std::uint32_t instruction) {
    while (warp_->block != numbered_block) {
        const kernel::NumberedBlock& at = code_.kernel->blocks[warp_->block];
        const kernel::Block& block = code_.kernel->functions[at.function].blocks[at.block];
        const std::uint32_t before = warp_->block;
        follow(before, static_cast<std::uint32_t>(block.instructions.size()));
        if (block.terminator.kind != kernel::Terminator::Kind::jump ||
            code_.kernel->blocks[numbered_block].entered_with != code_.kernel->blocks[before].entered_with) {
            // Another function's, or a way that was not told: nothing is known any more.
            warp_->values.clear();
            warp_->block = numbered_block;
            warp_->next = instruction;
            return;
        }
        warp_->block = before - at.block + block.terminator.targets[0];
        warp_->next = 0;
    }
    const kernel::NumberedBlock& at = code_.kernel->blocks[numbered_block];
    const auto& instructions = code_.kernel->functions[at.function].blocks[at.block].instructions;
    for (; warp_->next < instruction && !warp_->values.empty(); ++warp_->next)
        evaluate(instructions[warp_->next]);
    warp_->next = instruction;
}

void UndefinedValues::evaluate_shuffle(const ptx::Instruction& inst) {
    const Value* const from = value(inst.operands[1]);
    Value result;
    if (from) {
        const bool known = inst.operands[2].kind == Operand::Kind::integer;
        const auto b = static_cast<int>(inst.operands[2].bits & 31);
        result.origin = from->origin;
        each_lane(warp_->lanes, [&](int lane) {
            int source = lane;
            if (known) {
                source = inst.has(Modifier::up)     ? lane - b
                         : inst.has(Modifier::down) ? lane + b
                         : inst.has(Modifier::bfly) ? lane ^ b
                                                    : b;
                if (source < 0 || source >= warp_lanes) source = lane;
            }
            result.bytes[static_cast<std::size_t>(lane)] = from->bytes[static_cast<std::size_t>(source)];
            if (from->derived >> source & 1) result.derived |= Lanes{1} << lane;
            if (from->made_up >> source & 1) result.made_up |= Lanes{1} << lane;
        });
        // From a lane that is not known: only if all have nothing better.
        if (!known)
            each_lane(warp_->lanes, [&](int lane) {
                std::uint8_t common = 0xff;
                each_lane(warp_->lanes,
                          [&](int other) { common &= from->bytes[static_cast<std::size_t>(other)]; });
                result.bytes[static_cast<std::size_t>(lane)] = common;
            });
    }
    put(inst, inst.operands[0].kind == Operand::Kind::pair ? inst.operands[0].elements[0] : inst.operands[0],
        result, warp_->lanes);
}

// What a function of the device library gives back rests on all that it is given. Of others it is their code.
void UndefinedValues::evaluate_call(const ptx::Instruction& inst) {
    const kernel::CallOperands call = kernel::call_operands(inst);
    if (call.callee->kind != Operand::Kind::function ||
        !function().module->functions[call.callee->id].declaration)
        return;
    const auto each_register = [&](const Operand* list, const auto& f) {
        if (!list) return;
        for (const Operand& variable : list->elements) {
            const auto slots = function().slots.find(variable.id);
            if (variable.kind != Operand::Kind::variable || slots == function().slots.end()) continue;
            for (const kernel::ParamSlot& slot : slots->second) {
                Operand reg;
                reg.kind = Operand::Kind::reg;
                reg.id = slot.reg;
                f(reg);
            }
        }
    };
    Value given;  // all of what is
    each_register(call.args, [&](const Operand& reg) {
        if (const Value* const from = value(reg))
            each_lane(warp_->lanes, [&](int lane) {
                if (!from->bytes[static_cast<std::size_t>(lane)]) return;
                given.bytes[static_cast<std::size_t>(lane)] = all_of(8);
                given.derived |= Lanes{1} << lane;
                given.came_from(from->origin_of(lane), lane);
            });
    });
    each_register(call.returns, [&](const Operand& reg) {
        Value result = given;
        for (std::uint8_t& bytes : result.bytes) bytes &= all_of(std::min(register_bytes(reg), 8));
        put(inst, reg, result, warp_->lanes);
    });
}

void UndefinedValues::evaluate(const ptx::Instruction& inst) {
    const auto& ops = inst.operands;
    const Lanes lanes = warp_->lanes;
    if (inst.opcode == Opcode::call) return evaluate_call(inst);
    if (inst.opcode == Opcode::shfl) return evaluate_shuffle(inst);
    // Accesses have records, where lanes took part.
    if (!kernel::accesses_of(function(), inst).empty()) return;
    if (inst.opcode == Opcode::mma || inst.opcode == Opcode::wmma) return evaluate_product(inst);
    if (inst.opcode == Opcode::movmatrix) {
        const Value* const from = value(ops[1]);
        return put(inst, ops[0], from ? turned(*from) : Value{}, lanes);
    }
    // By lane: f(bytes of the sources) for the destination.
    const auto combine = [&](auto f, bool derives) {
        Value result;
        const Value* sources[4] = {};
        bool any = false;
        for (std::size_t i = 1; i < std::min<std::size_t>(ops.size(), 5); ++i) {
            sources[i - 1] = value(ops[i]);
            any |= sources[i - 1] != nullptr;
        }
        if (any) {
            each_lane(lanes, [&](int lane) {
                const auto l = static_cast<std::size_t>(lane);
                std::uint8_t in[4] = {};
                Lanes derived = 0;
                for (int i = 0; i < 4; ++i)
                    if (sources[i]) {
                        in[i] = sources[i]->bytes[l];
                        if (in[i])
                            derived |= sources[i]->derived & Lanes{1} << lane,
                                result.came_from(sources[i]->origin_of(lane), lane);
                    }
                result.bytes[l] = f(in);
                if (result.bytes[l]) result.derived |= derives ? Lanes{1} << lane : derived;
            });
        }
        put(inst, ops[0], result, lanes);
    };
    if (ops.empty()) return;
    const int bytes = register_bytes(ops[0].kind == Operand::Kind::pair ? ops[0].elements[0] : ops[0]);
    const std::uint8_t whole = all_of(std::min(bytes, 8));
    const auto number = [&](std::size_t i) {
        return ops.size() > i && ops[i].kind == Operand::Kind::integer;
    };
    const auto any = [&](const std::uint8_t* in) -> std::uint8_t {
        return (in[0] | in[1] | in[2] | in[3]) ? whole : 0;
    };
    switch (inst.opcode) {
        case Opcode::mov: {
            if (ops[0].kind == Operand::Kind::vector) {  // unpack
                const Value* const from = value(ops[1]);
                int at = 0;
                for (const Operand& part : ops[0].elements) {
                    const int width = register_bytes(part);
                    Value result;
                    if (from) {
                        result.origin = from->origin;
                        result.derived = from->derived;
                        result.made_up = from->made_up;
                        each_lane(lanes, [&](int lane) {
                            result.bytes[static_cast<std::size_t>(lane)] = static_cast<std::uint8_t>(
                                from->bytes[static_cast<std::size_t>(lane)] >> at & all_of(width));
                        });
                    }
                    put(inst, part, result, lanes);
                    at += width;
                }
                return;
            }
            if (ops[1].kind == Operand::Kind::vector) {  // pack
                Value result;
                int at = 0;
                for (const Operand& part : ops[1].elements) {
                    if (const Value* const from = value(part)) {
                        result.origin = from->origin;
                        result.derived |= from->derived;
                        result.made_up |= from->made_up;
                        each_lane(lanes, [&](int lane) {
                            result.bytes[static_cast<std::size_t>(lane)] |=
                                static_cast<std::uint8_t>(from->bytes[static_cast<std::size_t>(lane)] << at);
                        });
                    }
                    at += register_bytes(part);
                }
                put(inst, ops[0], result, lanes);
                return;
            }
            return combine([&](const std::uint8_t* in) -> std::uint8_t { return in[0] & whole; }, false);
        }
        case Opcode::cvt: {
            const bool whole_numbers = !ptx::is_float(inst.types[0]) && !ptx::is_float(inst.types[1]);
            if (!whole_numbers) return combine(any, true);
            const int from = ptx::type_bytes(inst.types[1]), to = ptx::type_bytes(inst.types[0]);
            const bool extends = ptx::is_signed(inst.types[1]);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    std::uint8_t low = in[0] & all_of(std::min(from, to));
                    if (extends && to > from && (in[0] >> (from - 1) & 1))
                        low |= static_cast<std::uint8_t>(whole & ~all_of(from));
                    return low;
                },
                false);
        }
        case Opcode::and_:
        case Opcode::or_: {
            // A number hides the bytes that it decides alone.
            const std::uint8_t decisive = inst.opcode == Opcode::and_ ? 0 : 0xff;
            std::uint8_t hidden = 0;
            for (std::size_t i = 1; i < ops.size(); ++i)
                if (number(i)) hidden |= bytes_that_are(ops[i].bits, decisive);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    return static_cast<std::uint8_t>((in[0] | in[1]) & ~hidden & whole);
                },
                true);
        }
        case Opcode::xor_:
        case Opcode::not_:
        case Opcode::lop3:
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t { return (in[0] | in[1] | in[2]) & whole; },
                true);
        case Opcode::shl:
        case Opcode::shr: {
            if (!number(2)) return combine(any, true);
            const auto bits = static_cast<int>(std::min<std::uint64_t>(ops[2].bits, 64));
            const bool left = inst.opcode == Opcode::shl;
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    const unsigned source = in[0];
                    const unsigned moved = left ? source << bits / 8 : source >> bits / 8;
                    const unsigned edge = bits % 8 == 0 ? 0u : left ? moved << 1 : moved >> 1;
                    return static_cast<std::uint8_t>((moved | edge) & whole);
                },
                false);
        }
        case Opcode::prmt: {
            if (!number(3)) return combine(any, true);
            const std::uint64_t selector = ops[3].bits;
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    const unsigned both = (in[0] & 15u) | (in[1] & 15u) << 4;
                    unsigned result = 0;
                    for (int i = 0; i < 4; ++i)
                        if (both >> (selector >> 4 * i & 7) & 1) result |= 1u << i;
                    return static_cast<std::uint8_t>(result);
                },
                false);
        }
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::mad:
            if (ptx::is_float(inst.type())) return combine(any, true);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    return and_above(in[0] | in[1] | in[2]) & whole;
                },
                true);
        case Opcode::selp: {
            // Which of the two it takes is not known here.
            const Value* const chosen = value(ops[3]);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    return (chosen && in[2]) ? whole : static_cast<std::uint8_t>(in[0] & in[1]);
                },
                false);
        }
        default: return combine(any, true);
    }
}

}  // namespace lockstep::check
