#include "kernel/block-steps.h"

#include <algorithm>

#include "kernel/accesses.h"
#include "kernel/data-independence.h"
#include "kernel/graph.h"
#include "kernel/operands.h"
#include "ptx/special-registers.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SpecialRegister;
using Kind = StepCheck::Kind;

// What is known of a value of a lane at one place of its way.
enum class Step : std::uint8_t {
    none,     // all blocks have the same
    even,     // it grows by the same, or falls, from block to block along an axis; it may wrap round
    extreme,  // it is the least or the greatest of two such, and only compared
    unknown   // anything
};

bool is_integer(ptx::Type type) {
    const ptx::TypeClass kind = ptx::type_class(type);
    return kind == ptx::TypeClass::bits || kind == ptx::TypeClass::unsigned_int ||
           kind == ptx::TypeClass::signed_int;
}

class Steps {
  public:
    explicit Steps(const Function& function)
        : function_(function),
          registers_(function.registers.size()),
          writers_(function.registers.size()),
          has_other_use_(function.registers.size()) {
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.instructions) {
                for (const RegId r : registers_written(function, inst)) ++writers_[r];
                if (inst.opcode == Opcode::setp || inst.opcode == Opcode::set) continue;
                for (const RegId r : registers_read(function, inst)) has_other_use_[r] = true;
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.instructions) {
                    const Step step = result(inst);
                    for (const RegId r : registers_written(function, inst)) {
                        changed |= step > registers_[r];
                        registers_[r] = std::max(registers_[r], step);
                    }
                }
        }
    }

    Step of(RegId reg) const { return registers_[reg]; }

    // What has to hold for the result to be what result() says.
    std::optional<StepCheck> check(const Instruction& inst) const {
        const Step step = worst(inst), gives = result(inst);
        if (step == Step::none || step == Step::unknown || gives == Step::unknown) return {};
        const auto compared = [&](Kind kind, ptx::Type type) {
            return StepCheck{.kind = kind, .type = type, .operands = {1, 2}};
        };
        switch (inst.opcode) {
            case Opcode::mul:
            case Opcode::mad: {
                if (!inst.has(Modifier::wide)) return {};
                const std::uint8_t grows = of(inst.operands[1]) == Step::even ? 1 : 2;
                if (of(inst.operands[grows]) != Step::even) return {};  // the sum's other part does
                return StepCheck{.kind = Kind::widened, .type = inst.type(), .operands = {grows}};
            }
            case Opcode::cvt:
                if (ptx::type_bits(inst.types[0]) <= ptx::type_bits(inst.types[1])) return {};
                return StepCheck{.kind = Kind::widened, .type = inst.types[1], .operands = {1}};
            case Opcode::setp: return compared(relation(inst), inst.type());
            case Opcode::set: return compared(relation(inst), inst.types[1]);
            case Opcode::min:
            case Opcode::max:
                return compared(gives == Step::even          ? Kind::less
                                : inst.opcode == Opcode::min ? Kind::least
                                                             : Kind::greatest,
                                inst.type());
            case Opcode::or_: return compared(Kind::joined, inst.type());
            default: return {};
        }
    }

  private:
    Step of(const Operand& operand) const {
        if (operand.kind == Operand::Kind::reg) return registers_[operand.id];
        if (operand.kind == Operand::Kind::special) {
            const auto reg = static_cast<SpecialRegister>(operand.id);
            return reg >= SpecialRegister::ctaid_x && reg <= SpecialRegister::ctaid_z ? Step::even
                                                                                      : Step::none;
        }
        Step step = Step::none;
        for (const Operand& element : operand.elements) step = std::max(step, of(element));
        return step;
    }

    // Of all that the instruction reads.
    Step worst(const Instruction& inst) const {
        Step step = inst.guard ? registers_[inst.guard->reg] : Step::none;
        for (std::size_t i = 0; i < inst.operands.size(); ++i)
            if (!is_destination(inst, i)) step = std::max(step, of(inst.operands[i]));
        return step;
    }

    static Kind relation(const Instruction& inst) {
        if (inst.has(Modifier::eq) || inst.has(Modifier::ne)) return Kind::equal;
        const bool or_equal = inst.has(Modifier::le) || inst.has(Modifier::ls) || inst.has(Modifier::gt) ||
                              inst.has(Modifier::hi);
        return or_equal ? Kind::less_or_equal : Kind::less;
    }

    // Into a register that holds just this type.
    bool fills(const Instruction& inst, ptx::Type type) const {
        const Operand& to = inst.operands[0];
        return to.kind == Operand::Kind::reg &&
               ptx::type_bits(function_.registers[to.id].type) == ptx::type_bits(type);
    }

    Step result(const Instruction& inst) const {
        if (!follows_from_operands(function_, inst)) return Step::unknown;
        const Step step = worst(inst);
        const bool compares = inst.opcode == Opcode::setp || inst.opcode == Opcode::set;
        if (step == Step::extreme && !compares) return Step::unknown;
        if (step == Step::none || step == Step::unknown) return step;
        const auto& ops = inst.operands;
        const auto is_fixed = [&](std::size_t operand) { return of(ops[operand]) == Step::none; };
        const auto even_if = [](bool holds) { return holds ? Step::even : Step::unknown; };
        const bool integers = is_integer(inst.type()) && !inst.has(Modifier::sat);
        switch (inst.opcode) {
            case Opcode::add:
            case Opcode::sub:
            case Opcode::neg: return even_if(integers && fills(inst, inst.type()));
            case Opcode::mul:
            case Opcode::mad:
                return even_if(integers && !inst.has(Modifier::hi) && (is_fixed(1) || is_fixed(2)));
            case Opcode::shl: return even_if(is_fixed(2) && fills(inst, inst.type()));
            case Opcode::mov:
            case Opcode::cvta: return even_if(fills(inst, inst.type()) && ops[1].elements.empty());
            case Opcode::cvt:
                return even_if(integers && is_integer(inst.types[1]) && fills(inst, inst.types[0]));
            case Opcode::selp: return even_if(is_fixed(3) && fills(inst, inst.type()));
            case Opcode::min:
            case Opcode::max:
                if (!integers || inst.has(Modifier::relu) || ops.size() != 3 || !fills(inst, inst.type()))
                    return Step::unknown;
                return writers_[ops[0].id] == 1 && !has_other_use_[ops[0].id] ? Step::extreme : Step::even;
            case Opcode::or_:
                return even_if(ptx::type_bits(inst.type()) >= 16 && is_fixed(1) != is_fixed(2) &&
                               fills(inst, inst.type()));
            case Opcode::setp: return integers ? Step::none : Step::unknown;
            case Opcode::set: return is_integer(inst.types[1]) ? Step::none : Step::unknown;
            default: return Step::unknown;
        }
    }

    const Function& function_;
    std::vector<Step> registers_;
    std::vector<std::uint32_t> writers_;
    std::vector<bool> has_other_use_;  // than to be compared
};

// Tells comparisons where the extremes that they compare are found.
void link_extremes(const Function& function, std::vector<StepCheck>& checks) {
    const auto instruction = [&](const StepCheck& check) -> const Instruction& {
        return function.blocks[check.block].instructions[check.instruction];
    };
    for (std::uint32_t i = 0; i < checks.size(); ++i) {
        if (!checks[i].is_extreme()) continue;
        for (StepCheck& check : checks)
            for (std::size_t o = 0; check.compares() && o < check.operands.size(); ++o)
                if (instruction(check).operands[check.operands[o]] == instruction(checks[i]).operands[0])
                    check.extremes[o] = i;
    }
}

// All blocks do it alike, but for where.
bool does_the_same(const Function& function, const Instruction& inst, const Steps& steps) {
    const std::vector<RegId> addresses = address_registers(function, inst);
    const std::vector<RegId> deciding = deciding_registers(inst);
    return std::all_of(deciding.begin(), deciding.end(),
                       [&](RegId reg) { return steps.of(reg) == Step::none; }) &&
           std::all_of(addresses.begin(), addresses.end(),
                       [&](RegId reg) { return steps.of(reg) != Step::unknown; });
}

bool is_way_out_fixed(const Terminator& end, const Steps& steps) {
    const bool indexed = end.kind == Terminator::Kind::table && end.index.kind == Operand::Kind::reg;
    return (!end.guard || steps.of(end.guard->reg) == Step::none) &&
           (!indexed || steps.of(end.index.id) == Step::none);
}

}  // namespace

std::optional<std::vector<StepCheck>> block_steps(const Kernel& kernel) {
    if (!is_data_independent(kernel)) return {};
    for (const Site& site : kernel.sites)
        if (is_access(site.kind) && site.space == ptx::Space::none) return {};
    const Function& function = kernel.functions.front();
    const Steps steps(function);
    std::vector<StepCheck> checks;
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        if (!is_way_out_fixed(block.terminator, steps)) return {};
        for (std::uint32_t i = 0; i < block.instructions.size(); ++i) {
            if (!does_the_same(function, block.instructions[i], steps)) return {};
            std::optional<StepCheck> check = steps.check(block.instructions[i]);
            if (!check) continue;
            check->block = b;
            check->instruction = i;
            checks.push_back(*check);
        }
    }
    link_extremes(function, checks);
    return checks;
}

}  // namespace lockstep::kernel
