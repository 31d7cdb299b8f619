// What was computed before on every way, of the same values, is there: nvcc computes anew behind inline
// assembly (the tiles of cooperative groups read %laneid for each shuffle) and where it expects that to take
// fewer registers than to keep a value; ptxas does not. But it reads %tid anew where nvcc does.
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "kernel/graph.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::RegId;
using ptx::Operand;

class Repetitions {
  public:
    explicit Repetitions(Selection& selection)
        : s_(selection), f_(selection.function), idom_(kernel::dominators(f_)) {}

    void run() {
        for (BlockId b = 0; b < f_.blocks.size(); ++b)
            for (std::size_t i = 0; i < f_.blocks[b].instructions.size(); ++i)
                look_at({b, static_cast<std::int32_t>(i)});
    }

  private:
    using Key = std::tuple<ptx::Opcode, std::array<ptx::Type, 4>, std::vector<std::uint64_t>>;

    void look_at(Place place) {
        const ptx::Instruction& inst = *s_.uses.at(place);
        if (!is_pure(inst)) return;
        Key key{inst.opcode, inst.types, {}};
        for (std::size_t o = 1; o < inst.operands.size(); ++o)
            if (!add(std::get<2>(key), inst.operands[o])) return;
        const RegId result = inst.operands[0].id;
        if (is_copy(inst)) {
            values_[result] = value_of(inst.operands[1].id);
            return;
        }
        for (const Place& before : known_[key]) {
            const ptx::Instruction& first = *s_.uses.at(before);
            if (first.mods != inst.mods || !kernel::dominates(idom_, before.block, place.block)) continue;
            values_[result] = value_of(first.operands[0].id);
            // What moves take is known elsewhere (load-constants.cc).
            if (inst.opcode != ptx::Opcode::mov) s_.fold(place);
            return;
        }
        known_[key].push_back(place);
    }

    // It has one result, which is written nowhere else, and reads nothing that changes.
    bool is_pure(const ptx::Instruction& inst) const {
        switch (inst.syntax().family) {
            case ptx::Family::integer:
            case ptx::Family::bits:
            case ptx::Family::floating:
            case ptx::Family::half:
            case ptx::Family::compare:
            case ptx::Family::logic:
            case ptx::Family::move:
            case ptx::Family::convert: break;
            default: return false;
        }
        return !inst.guard && inst.operands.size() > 1 && inst.operands[0].kind == Operand::Kind::reg &&
               is_written_once(inst.operands[0].id) && !inst.has(ptx::Modifier::cc) &&
               inst.opcode != ptx::Opcode::addc && inst.opcode != ptx::Opcode::subc &&
               inst.opcode != ptx::Opcode::madc;
    }
    bool is_written_once(RegId reg) const { return s_.uses.writers(reg).size() == 1; }
    static bool is_copy(const ptx::Instruction& inst) {
        return inst.opcode == ptx::Opcode::mov && inst.operands[1].kind == Operand::Kind::reg;
    }
    RegId value_of(RegId reg) const {
        const auto known = values_.find(reg);
        return known == values_.end() ? reg : known->second;
    }

    bool add(std::vector<std::uint64_t>& key, const Operand& operand) const {
        key.push_back(static_cast<std::uint64_t>(operand.kind) << 1 | (operand.negated ? 1 : 0));
        switch (operand.kind) {
            case Operand::Kind::reg: key.push_back(value_of(operand.id)); return is_written_once(operand.id);
            case Operand::Kind::integer:
            case Operand::Kind::f32:
            case Operand::Kind::f64: key.push_back(operand.bits); return true;
            case Operand::Kind::special:
                key.push_back(operand.id);
                return static_cast<ptx::SpecialRegister>(operand.id) == ptx::SpecialRegister::laneid;
            case Operand::Kind::vector:
                for (const Operand& element : operand.elements)
                    if (!add(key, element)) return false;
                return true;
            default: return false;
        }
    }
    Selection& s_;
    const kernel::Function& f_;
    std::vector<BlockId> idom_;
    std::map<RegId, RegId> values_;  // of registers that hold what another one does
    std::map<Key, std::vector<Place>> known_;
};

}  // namespace

void fold_repeated(Selection& selection) { Repetitions(selection).run(); }

}  // namespace lockstep::machine
