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
    if (e.lanes() != 64) return false;
    const auto product = gcn::matrix_product(inst);
    if (!product) return false;
    MatrixForm form{.product = *product};
    const auto modifier = [&](const char* of) { return static_cast<std::uint32_t>(inst.value(of)); };
    if (product->sparse) {
        // cbsz says that the first part of the index counts, else abid says which.
        form.index_set = modifier("cbsz") ? 0 : modifier("abid");
        if ((form.index_set + 1) * product->lane_elements() > 32) {
            e.fail(inst,
                   fmt::format("{}: abid:{} names indices that there are none of", name, form.index_set));
            return true;
        }
    } else {
        form.group = modifier("cbsz"), form.chosen = modifier("abid"), form.lane_pattern = modifier("blgp");
        if (form.group > 4 || 1u << form.group > product->blocks || form.chosen >= 1u << form.group) {
            e.fail(inst, fmt::format("{}: cbsz:{} abid:{} name blocks that there are none of", name,
                                     form.group, form.chosen));
            return true;
        }
    }
    const bool doubles = product->type == gcn::MatrixType::f64;
    if (const auto negated = inst.modifiers.find("neg"); negated != inst.modifiers.end())
        for (std::size_t i = 0; i < negated->second.size(); ++i)
            form.negated |= static_cast<std::uint32_t>(negated->second[i] != 0) << i;
    // CDNA 3 negates doubles; that CDNA 2 would do it by blgp is not published.
    if (doubles ? form.group || form.chosen || form.lane_pattern : form.negated) return false;
    auto& b = e.builder();
    const gcn::Operand& to = inst.operands.at(0);
    const gcn::Operand& third = inst.operands.at(3);
    Value* x = stored(e, inst.operands.at(1), inst.operands.at(1).count);
    Value* y = stored(e, inst.operands.at(2), inst.operands.at(2).count);
    Value* index = product->sparse ? stored(e, third, 1) : llvm::ConstantPointerNull::get(b.getPtrTy());
    Value* sums = stored(e, product->sparse ? to : third, to.count, product->sum_words());
    e.call("lockstep_wave_mfma", reinterpret_cast<void*>(&wave_mfma), b.getVoidTy(),
           {b.getInt64(form.number()), x, y, index, sums});
    for (int k = 0; k < to.count; ++k)
        e.set_whole_vector_part(
            to, k, b.CreateAlignedLoad(e.vector_of(b.getInt32Ty()), word(e, sums, k), llvm::Align(64)));
    return true;
}

}  // namespace lockstep::exec::wave
