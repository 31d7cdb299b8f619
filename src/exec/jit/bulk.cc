// Bulk and tensor copies: one call for the lanes that ask for them, mostly one. st.async and red.async are
// stores and atomics that tell a barrier.
#include "exec/bulk-form.h"
#include "exec/jit/emitter.h"
#include "kernel/accesses.h"

namespace lockstep::exec::jit {

using kernel::SiteKind;
using ptx::Modifier;
using ptx::Space;

namespace {

using Combine = BulkForm::Combine;
using Direction = BulkForm::Direction;

Combine combine_of(const ptx::Instruction& inst) {
    if (!inst.has(Modifier::reduce)) return Combine::none;
    return inst.has(Modifier::add)    ? Combine::add
           : inst.has(Modifier::min)  ? Combine::min
           : inst.has(Modifier::max)  ? Combine::max
           : inst.has(Modifier::inc)  ? Combine::inc
           : inst.has(Modifier::dec)  ? Combine::dec
           : inst.has(Modifier::and_) ? Combine::and_
           : inst.has(Modifier::or_)  ? Combine::or_
                                      : Combine::xor_;
}

TensorElement element_of(ptx::Type type) {
    switch (type) {
        case ptx::Type::s32: return TensorElement::s32;
        case ptx::Type::b64:
        case ptx::Type::u64: return TensorElement::u64;
        case ptx::Type::s64: return TensorElement::s64;
        case ptx::Type::f16: return TensorElement::f16;
        case ptx::Type::bf16: return TensorElement::bf16;
        case ptx::Type::f32: return TensorElement::f32;
        case ptx::Type::f64: return TensorElement::f64;
        default: return TensorElement::u32;
    }
}

std::uint8_t rank_of(const ptx::Instruction& inst) {
    if (!inst.has(Modifier::tensor)) return 0;
    return inst.has(Modifier::d1)   ? 1
           : inst.has(Modifier::d2) ? 2
           : inst.has(Modifier::d3) ? 3
           : inst.has(Modifier::d4) ? 4
                                    : 5;
}

BulkForm form_of(const ptx::Instruction& inst) {
    BulkForm form;
    form.direction = !inst.has(Modifier::global)          ? Direction::between_shared
                     : inst.has(Modifier::complete_bytes) ? Direction::to_shared
                                                          : Direction::to_global;
    form.combine = combine_of(inst);
    form.element = element_of(inst.type());
    form.rank = rank_of(inst);
    form.multicast = inst.has(Modifier::multicast_cluster);
    return form;
}

}  // namespace

// Groups and waits for them have nothing left to do, and a prefetch has no effect that a program can see.
void Emitter::emit_bulk_copy(const Inst& inst) {
    if (!kernel::is_bulk_copy(inst)) return;
    const auto& ops = inst.operands;
    const BulkForm form = form_of(inst);
    const bool tensor = form.rank != 0, loads = form.direction == Direction::to_shared;
    const bool stores = form.direction == Direction::to_global;
    if (form.combine != Combine::none && (tensor || ptx::is_float(inst.type())) && stores)
        program_.order_matters = true;

    // In the order of BulkSite. A tensor's rows begin at any element.
    const int at_global = tensor ? 1 : 16, at_shared = 16;
    const auto writes = form.combine == Combine::none ? SiteKind::store : SiteKind::reduction;
    const std::uint32_t checks = add_site(inst, stores ? at_global : at_shared, writes);
    add_site(inst, loads ? at_global : at_shared, SiteKind::load);
    add_site(inst, 8, SiteKind::atomic);
    add_site(inst, 1, SiteKind::load);

    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(64), warp_lanes);
    Value* operands = scratch(llvm::ArrayType::get(lanes, static_cast<std::uint64_t>(BulkOperand::count)));
    auto put = [&](BulkOperand which, Value* value, std::uint64_t further = 0) {
        const std::uint64_t place = static_cast<std::uint64_t>(which) + further;
        builder_.CreateStore(builder_.CreateZExt(splat(value), lanes),
                             builder_.CreateConstInBoundsGEP1_64(lanes, operands, place));
    };
    auto address = [&](std::size_t operand, Space space) {
        const kernel::Access said{.kind = SiteKind::load, .space = space, .bytes = 1, .operand = operand};
        return lane_addresses(access(inst, said, checks));
    };
    put(BulkOperand::to, address(0, stores ? Space::none : Space::shared));
    put(BulkOperand::from, address(1, loads ? Space::none : Space::shared));
    std::size_t next = 2;
    if (!tensor) put(BulkOperand::bytes, read_bits(ops[next++], 32, false));
    if (!stores) {
        put(BulkOperand::barrier, address(next++, Space::shared));
        if (form.multicast) put(BulkOperand::blocks, read_bits(ops[next++], 16, false));
    }
    if (tensor) {
        const Op& point = ops[loads ? 1 : 0].elements[1];
        for (std::uint64_t i = 0; i < form.rank; ++i)
            put(BulkOperand::coordinates, read_bits(point.elements[i], 32, false), i);
    }
    if (records(events::Wants::accesses)) publish_records();  // the function makes its own
    Value* mask = instruction_mask(inst);
    when_any(inst, mask, [&] {
        builder_.CreateCall(program_.callback(Callback::bulk_copy),
                            {ctx_, builder_.getInt32(own_site()), builder_.getInt32(checks),
                             builder_.getInt64(form.number()), mask, operands});
    });
}

}  // namespace lockstep::exec::jit
