// Bulk and tensor copies, and changes of tensor maps: one call for the lanes that ask for them, mostly one.
// st.async and red.async are stores and atomics that tell a barrier.
#include "exec/bulk-form.h"
#include "exec/jit/emitter.h"
#include "exec/map-change.h"
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
    form.im2col = inst.has(Modifier::im2col) || inst.has(Modifier::im2col_no_offs);
    return form;
}

MapChange change_of(const ptx::Instruction& inst) {
    using Field = MapChange::Field;
    constexpr std::pair<Modifier, Field> fields[] = {{Modifier::global_address, Field::address},
                                                     {Modifier::rank, Field::rank},
                                                     {Modifier::box_dim, Field::box},
                                                     {Modifier::global_dim, Field::size},
                                                     {Modifier::element_stride, Field::step},
                                                     {Modifier::global_stride, Field::stride},
                                                     {Modifier::elemtype, Field::element},
                                                     {Modifier::interleave_layout, Field::interleave},
                                                     {Modifier::swizzle_mode, Field::swizzle},
                                                     {Modifier::fill_mode, Field::fill}};
    MapChange change;
    for (const auto& [modifier, field] : fields)
        if (inst.has(modifier)) change.field = field;
    if (inst.operands.size() == 3)
        change.dimension = static_cast<std::uint8_t>(std::min<std::uint64_t>(inst.operands[1].bits, 255));
    return change;
}

}  // namespace

// The copy is done at once: groups and waits for them have nothing left to do.
void Emitter::emit_bulk_copy(const Inst& inst) {
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
        if (form.im2col) {
            const Op& offsets = ops[next++];
            for (std::uint64_t i = 0; i < offsets.elements.size(); ++i)
                put(BulkOperand::offsets, read_bits(offsets.elements[i], 16, false), i);
        }
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

// tensormap.replace, and tensormap.cp_fenceproxy, of which a fence between kinds of accesses is nothing here.
void Emitter::emit_tensor_map(const Inst& inst) {
    const auto& ops = inst.operands;
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(64), warp_lanes);
    auto words = [&](Value* value) { return spill(builder_.CreateZExt(splat(value), lanes)); };
    auto address = [&](std::uint32_t site, SiteKind kind, std::size_t operand, Space space) {
        const kernel::Access said{.kind = kind, .space = space, .bytes = 1, .operand = operand};
        return words(lane_addresses(access(inst, said, site)));
    };
    if (inst.has(Modifier::cp_fenceproxy)) {
        check_whole_warp(inst);
        const std::uint32_t site = add_site(inst, 16, SiteKind::store);
        add_site(inst, 16, SiteKind::load);
        builder_.CreateCall(
            program_.callback(Callback::publish_tensor_map),
            {ctx_, builder_.getInt32(site), builder_.getInt32(static_cast<std::uint32_t>(ops[2].bits)),
             address(site, SiteKind::store, 0, Space::none),
             address(site + 1, SiteKind::load, 1, Space::shared)});
        return;
    }
    const std::uint32_t site = add_site(inst, 16, SiteKind::store);
    const Space space = inst.has(Modifier::shared_cta) ? Space::shared : Space::none;
    const int bits = ptx::type_bits(inst.type());
    Value* maps = address(site, SiteKind::store, 0, space);
    Value* values = words(read_bits(ops.back(), bits, false));
    Value* mask = instruction_mask(inst);
    when_any(inst, mask, [&] {
        builder_.CreateCall(
            program_.callback(Callback::change_tensor_map),
            {ctx_, builder_.getInt32(site), builder_.getInt64(change_of(inst).number()), mask, maps, values});
    });
}

}  // namespace lockstep::exec::jit
