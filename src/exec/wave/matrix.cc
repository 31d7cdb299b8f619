// Products of matrices, and the registers that hold their sums.
#include <fmt/format.h>

#include "exec/wave/emitter.h"
#include "exec/wave/matrix-form.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Kind = gcn::Operand::Kind;

Value* word(Emitter& e, Value* array, int number) {
    auto& b = e.builder();
    return b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), array, static_cast<unsigned>(number * e.lanes()));
}

// The operand's registers in memory, or a constant as often: of `words` registers each.
Value* stored(Emitter& e, const gcn::Operand& op, int registers, std::uint32_t words = 1) {
    auto& b = e.builder();
    Value* memory = e.array(registers);
    const bool constant = op.kind == Kind::integer || op.kind == Kind::floating;
    for (int k = 0; k < registers; ++k) {
        Value* value = nullptr;
        if (!constant) {
            value = e.vector_part(op, k);
        } else if (words == 1) {
            value = e.vector32(op);
        } else {
            Value* half = b.CreateLShr(e.vector64(op), e.number64(k % 2 ? 32 : 0));
            value = b.CreateTrunc(half, e.vector_of(b.getInt32Ty()));
        }
        b.CreateAlignedStore(value, word(e, memory, k), llvm::Align(64));
    }
    return memory;
}

}  // namespace

bool emit_matrix(Emitter& e, const gcn::Instruction& inst) {
    const std::string& name = inst.name;
    if (name == "v_accvgpr_read_b32" || name == "v_accvgpr_write_b32" || name == "v_accvgpr_mov_b32" ||
        name == "v_accvgpr_read" || name == "v_accvgpr_write") {
        e.set_vector32(inst.operands.at(0), e.vector32(inst.operands.at(1)));
        return true;
    }
    if (!name.starts_with("v_mfma_") || e.lanes() != 64) return false;
    const gcn::Operand& to = inst.operands.at(0);
    auto form = matrix_form(name, inst.operands.at(1).count);
    if (!form || form->size * form->size * form->blocks * form->sum_words() != 64u * to.count) return false;
    form->group = static_cast<std::uint32_t>(inst.value("cbsz"));
    form->chosen = static_cast<std::uint32_t>(inst.value("abid"));
    form->lane_pattern = static_cast<std::uint32_t>(inst.value("blgp"));
    // These negate there, and nothing was compared.
    if (inst.has("neg") ||
        (form->type == MatrixType::f64 && (form->group || form->chosen || form->lane_pattern)))
        return false;
    if (form->group > 4 || 1u << form->group > form->blocks || form->chosen >= 1u << form->group) {
        e.fail(inst, fmt::format("{}: cbsz:{} abid:{} name blocks that there are none of", name, form->group,
                                 form->chosen));
        return true;
    }
    auto& b = e.builder();
    Value* x = stored(e, inst.operands.at(1), inst.operands.at(1).count);
    Value* y = stored(e, inst.operands.at(2), inst.operands.at(2).count);
    Value* sums = stored(e, inst.operands.at(3), to.count, form->sum_words());
    e.call("lockstep_wave_mfma", reinterpret_cast<void*>(&wave_mfma), b.getVoidTy(),
           {b.getInt64(form->number()), x, y, sums});
    for (int k = 0; k < to.count; ++k)
        e.set_whole_vector_part(
            to, k, b.CreateAlignedLoad(e.vector_of(b.getInt32Ty()), word(e, sums, k), llvm::Align(64)));
    return true;
}

}  // namespace lockstep::exec::wave
