// Neighbouring loads from shared memory become one wide load where the address is known to be aligned for it.
#include <algorithm>
#include <bit>
#include <map>

#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;

constexpr int most_steps = 12;  // that an address is followed back: a bound on the work

// How many low bits of a value are surely zero.
class Alignment {
  public:
    explicit Alignment(Selection& selection) : s_(selection) {}

    int zeros(const Operand& operand, int depth = 0) {
        if (operand.kind == Operand::Kind::integer) return operand.bits ? std::countr_zero(operand.bits) : 64;
        if (operand.kind == Operand::Kind::variable) {
            const ptx::Variable& variable =
                operand.local ? s_.function.variables[operand.id] : s_.function.module->variables[operand.id];
            // Shared memory begins aligned, and ptxas sees where it puts each variable.
            constexpr std::uint64_t widest = ptxas::access_bytes;
            const std::uint64_t align = variable.size() >= widest
                                            ? std::max<std::uint64_t>(variable.align(), widest)
                                            : variable.align();
            return std::min(std::countr_zero(align),
                            std::countr_zero(static_cast<std::uint64_t>(operand.offset) | 1ull << 62));
        }
        const ptx::Instruction* writer = depth < most_steps ? s_.uses.writer(operand) : nullptr;
        if (!writer) return 0;
        const auto of = [&](std::size_t i) { return zeros(writer->operands[i], depth + 1); };
        switch (writer->opcode) {
            case ptx::Opcode::mov: return of(1);
            case ptx::Opcode::cvta: return of(1);
            case ptx::Opcode::cvt: return ptx::is_float(writer->types[1]) ? 0 : of(1);
            case ptx::Opcode::add:
            case ptx::Opcode::sub:
            case ptx::Opcode::or_:
            case ptx::Opcode::xor_: return std::min(of(1), of(2));
            case ptx::Opcode::and_: return std::max(of(1), of(2));
            case ptx::Opcode::mul:
                return ptx::is_float(writer->type()) || writer->has(Modifier::hi) ? 0 : of(1) + of(2);
            case ptx::Opcode::mad:
                return ptx::is_float(writer->type()) || writer->has(Modifier::hi)
                           ? 0
                           : std::min(of(1) + of(2), of(3));
            case ptx::Opcode::shl:
                return writer->operands[2].kind == Operand::Kind::integer
                           ? of(1) + static_cast<int>(writer->operands[2].bits)
                           : 0;
            default: return 0;
        }
    }

  private:
    Selection& s_;
};

bool is_shared(const ptx::Instruction& inst) {
    return inst.has(Modifier::shared) || inst.has(Modifier::shared_cta);
}

struct Load {
    std::int32_t index = 0;
    std::int64_t offset = 0;
};

void merge(Selection& s, kernel::BlockId block, std::vector<Load>& loads, int bytes, int known_zeros) {
    std::sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.offset < b.offset; });
    for (std::size_t i = 0; i < loads.size();) {
        std::size_t run = 1;
        for (int wide = ptxas::access_bytes; wide > bytes; wide /= 2) {
            const auto count = static_cast<std::size_t>(wide / bytes);
            if (i + count > loads.size() || (1 << std::min(known_zeros, 6)) < wide || loads[i].offset % wide)
                continue;
            bool follow = true;
            for (std::size_t k = 1; k < count; ++k)
                follow &= loads[i + k].offset == loads[i].offset + static_cast<std::int64_t>(k) * bytes;
            if (!follow) continue;
            const auto first =
                std::min_element(loads.begin() + static_cast<std::ptrdiff_t>(i),
                                 loads.begin() + static_cast<std::ptrdiff_t>(i + count),
                                 [](const Load& a, const Load& b) { return a.offset < b.offset; });
            for (std::size_t k = 0; k < count; ++k) s.fold({block, loads[i + k].index});
            s.at({block, first->index}) = {wide == ptxas::access_bytes ? Opcode::lds_128 : Opcode::lds_64, 1,
                                           0, wide};
            run = count;
            break;
        }
        i += run;
    }
    loads.clear();
}

}  // namespace

void merge_accesses(Selection& s) {
    Alignment alignment(s);
    for (kernel::BlockId b = 0; b < s.function.blocks.size(); ++b) {
        const auto& instructions = s.function.blocks[b].instructions;
        // Loads since the last store or barrier, by base and size.
        std::map<std::pair<std::uint64_t, int>, std::pair<std::vector<Load>, int>> open;
        const auto close = [&] {
            for (auto& [key, group] : open) merge(s, b, group.first, key.second, group.second);
            open.clear();
        };
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i) {
            const ptx::Instruction& inst = instructions[static_cast<std::size_t>(i)];
            const ptx::Family family = inst.syntax().family;
            const bool memory = family == ptx::Family::memory || family == ptx::Family::atomic;
            const bool plain_load = inst.opcode == ptx::Opcode::ld && is_shared(inst) &&
                                    !inst.has(Modifier::volatile_) && !inst.guard &&
                                    inst.operands[0].kind == Operand::Kind::reg &&
                                    ptx::type_bytes(inst.type()) >= 4;
            if (plain_load) {
                const Operand& base = inst.operands[1].elements[0];
                const bool is_register = base.kind == Operand::Kind::reg;
                if (!is_register && base.kind != Operand::Kind::variable) continue;
                if (is_register && s.uses.writers(base.id).size() != 1) continue;
                const std::uint64_t key =
                    std::uint64_t{base.id} << 2 | std::uint64_t{base.local} << 1 | is_register;
                auto& group = open[{key, ptx::type_bytes(inst.type())}];
                group.second = alignment.zeros(base);
                group.first.push_back({i, inst.operands[1].offset + base.offset});
            } else if (family == ptx::Family::barrier || family == ptx::Family::control ||
                       (memory && !(inst.opcode == ptx::Opcode::ld) && !inst.has(Modifier::param))) {
                close();
            }
        }
        close();
    }
}

}  // namespace lockstep::machine
