// Neighbouring loads from shared memory become one wide load where the address is known to be aligned for it;
// what has been loaded, and nothing can have changed since, is not loaded again.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "kernel/graph.h"
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

// A load from a place that was loaded before in the block.
class LoadsAgain {
  public:
    explicit LoadsAgain(Selection& selection) : s_(selection) {}

    void run() {
        for (kernel::BlockId b = 0; b < s_.function.blocks.size(); ++b) {
            loaded_.clear();
            const auto& instructions = s_.function.blocks[b].instructions;
            for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
                visit({b, i}, instructions[static_cast<std::size_t>(i)]);
        }
    }

  private:
    void visit(Place here, const ptx::Instruction& inst) {
        const ptx::Family family = inst.syntax().family;
        const bool memory = family == ptx::Family::memory || family == ptx::Family::atomic;
        const bool load = inst.opcode == ptx::Opcode::ld && !inst.has(Modifier::volatile_);
        if (load && !inst.has(Modifier::param) && !inst.guard &&
            inst.operands[0].kind == Operand::Kind::reg) {
            const Operand& base = inst.operands[1].elements[0];
            if (!loaded_
                     .insert({base.kind, base.id, base.local, base.offset + inst.operands[1].offset,
                              static_cast<int>(inst.type()), is_shared(inst)})
                     .second)
                s_.fold(here);
        } else if (family == ptx::Family::barrier || family == ptx::Family::control ||
                   (memory && !inst.has(Modifier::param))) {
            loaded_.clear();
        }
        // Where a register is written what it named is another place.
        for (const kernel::RegId reg : kernel::registers_written(s_.function, inst))
            std::erase_if(loaded_, [&](const From& from) {
                return std::get<0>(from) == Operand::Kind::reg && std::get<1>(from) == reg;
            });
    }

    // What names the place, and what is loaded from it.
    using From = std::tuple<Operand::Kind, std::uint32_t, bool, std::int64_t, int, bool>;
    Selection& s_;
    std::set<From> loaded_;
};

}  // namespace

void merge_accesses(Selection& s) {
    LoadsAgain(s).run();
    const KnownBits known(s);
    for (kernel::BlockId b = 0; b < s.function.blocks.size(); ++b) {
        const auto& instructions = s.function.blocks[b].instructions;
        // Loads since the last store or barrier, by base and size.
        std::map<std::pair<std::uint64_t, int>, std::pair<std::vector<Load>, int>> open;
        std::set<kernel::RegId> bases;  // of these: registers that a loop steps
        const auto close = [&] {
            for (auto& [key, group] : open) merge(s, b, group.first, key.second, group.second);
            open.clear();
            bases.clear();
        };
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i) {
            const ptx::Instruction& inst = instructions[static_cast<std::size_t>(i)];
            const ptx::Family family = inst.syntax().family;
            const bool memory = family == ptx::Family::memory || family == ptx::Family::atomic;
            const bool plain_load = inst.opcode == ptx::Opcode::ld && is_shared(inst) &&
                                    !inst.has(Modifier::volatile_) && !inst.guard &&
                                    inst.operands[0].kind == Operand::Kind::reg &&
                                    ptx::type_bytes(inst.type()) >= 4;
            if (plain_load && !s.folded({b, i})) {
                const Operand& base = inst.operands[1].elements[0];
                const bool is_register = base.kind == Operand::Kind::reg;
                if (!is_register && base.kind != Operand::Kind::variable) continue;
                if (is_register && s.uses.writers(base.id).size() != 1) bases.insert(base.id);
                const std::uint64_t key =
                    std::uint64_t{base.id} << 2 | std::uint64_t{base.local} << 1 | is_register;
                auto& group = open[{key, ptx::type_bytes(inst.type())}];
                group.second = known.zeros(base);
                group.first.push_back({i, inst.operands[1].offset + base.offset});
            } else if (family == ptx::Family::barrier || family == ptx::Family::control ||
                       (memory && !(inst.opcode == ptx::Opcode::ld) && !inst.has(Modifier::param))) {
                close();
            } else if (std::ranges::any_of(kernel::registers_written(s.function, inst),
                                           [&](kernel::RegId reg) { return bases.contains(reg); })) {
                close();
            }
        }
        close();
    }
}

}  // namespace lockstep::machine
