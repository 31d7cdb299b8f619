// Neighbouring loads from shared memory become one wide load where the address is known to be aligned for it.
#include <algorithm>
#include <map>

#include "machine/known-bits.h"
#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;

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
    const KnownBits known(s);
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
                group.second = known.zeros(base);
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
