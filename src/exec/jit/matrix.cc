// Matrices: mma wmma ldmatrix stmatrix movmatrix wgmma. A warp's registers go to memory, one after the other
// with all lanes' values, a function computes on them (exec/scalar/matrix.h), and what it leaves is loaded
// again.
#include "exec/scalar/matrix.h"

#include <fmt/format.h>

#include "exec/jit/emitter.h"
#include "kernel/matrix-products.h"
#include "kernel/matrix-units.h"
#include "ptx/fragments.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

tensor::Element element_of(ptx::Type type) {
    switch (type) {
        case ptx::Type::f16: return tensor::Element::f16;
        case ptx::Type::bf16: return tensor::Element::bf16;
        case ptx::Type::tf32: return tensor::Element::tf32;
        case ptx::Type::f64: return tensor::Element::f64;
        case ptx::Type::e4m3: return tensor::Element::e4m3;
        case ptx::Type::e5m2: return tensor::Element::e5m2;
        case ptx::Type::s8: return tensor::Element::s8;
        case ptx::Type::u8: return tensor::Element::u8;
        case ptx::Type::s4: return tensor::Element::s4;
        case ptx::Type::u4: return tensor::Element::u4;
        case ptx::Type::b1: return tensor::Element::b1;
        case ptx::Type::s32: return tensor::Element::s32;
        default: return tensor::Element::f32;
    }
}

MatrixForm form_of(const ptx::Instruction& inst) {
    using Layout = MatrixForm::Layout;
    MatrixForm form;
    form.m = inst.shape.m, form.n = inst.shape.n, form.k = inst.shape.k;
    form.a = element_of(ptx::fragment_of(inst, "a").element);
    form.b = element_of(ptx::fragment_of(inst, "b").element);
    form.c = element_of(ptx::fragment_of(inst, "c").element);
    form.d = element_of(ptx::fragment_of(inst, "d").element);
    const bool a_column = inst.has(Modifier::col_row) || inst.has(Modifier::col_col);
    const bool b_row = inst.has(Modifier::row_row) || inst.has(Modifier::col_row);
    form.a_layout = a_column ? Layout::col : Layout::row;
    form.b_layout = b_row ? Layout::row : Layout::col;
    form.satfinite = inst.has(Modifier::satfinite);
    form.exclusive_or = inst.has(Modifier::xor_);
    form.sparse = inst.has(Modifier::sp) || inst.has(Modifier::sp_ordered_metadata);
    return form;
}

}  // namespace

// Lanes that are elsewhere would have to be waited for; PTX leaves open what happens then (.aligned).
void Emitter::check_whole_warp(const Inst& inst) {
    if (!inst.guard) {
        if (whole_in_ == current_) return;
        whole_in_ = current_;
    }
    Value* mask = instruction_mask(inst);
    when(builder_.CreateICmpNE(mask, constant(mask, ~0u)), [&] {
        builder_.CreateCall(program_.callback(Callback::missing_lanes),
                            {ctx_, builder_.getInt32(add_site(inst)), mask});
    });
}

// `count` registers of an operand, from the one numbered `first` on, in memory.
Emitter::Value* Emitter::fragment(const Op& registers, int first, int count, int bits) {
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(bits), warp_lanes);
    Value* memory = scratch(llvm::ArrayType::get(lanes, static_cast<std::uint64_t>(count)));
    for (int i = 0; i < count; ++i)
        builder_.CreateStore(
            read_bits(registers.elements[static_cast<std::size_t>(first + i)], bits, false),
            builder_.CreateConstInBoundsGEP1_64(lanes, memory, static_cast<std::uint64_t>(i)));
    return memory;
}

void Emitter::write_fragment(const Inst& inst, const Op& registers, Value* memory, int bits) {
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(bits), warp_lanes);
    std::vector<Value*> values;
    for (std::size_t i = 0; i < registers.elements.size(); ++i)
        values.push_back(builder_.CreateLoad(lanes, builder_.CreateConstInBoundsGEP1_64(lanes, memory, i)));
    for (std::size_t i = 0; i < values.size(); ++i) write(inst, registers.elements[i], values[i]);
}

void Emitter::emit_product(const Inst& inst) {
    MatrixForm form = form_of(inst);
    const auto& ops = inst.operands;
    const int bits = form.a == tensor::Element::f64 ? 64 : 32;
    auto whole = [&](const Op& op) { return fragment(op, 0, static_cast<int>(op.elements.size()), bits); };
    Value* metadata = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    if (form.sparse) {
        metadata = spill(read_bits(ops[4], 32, false));
        form.selector = static_cast<std::uint8_t>(ops[5].bits & 3);
    }
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(bits), warp_lanes);
    Value* d = scratch(llvm::ArrayType::get(lanes, ops[0].elements.size()));
    builder_.CreateCall(
        program_.external("lockstep_mma", &lockstep_mma),
        {builder_.getInt64(form.pack()), d, whole(ops[1]), whole(ops[2]), whole(ops[3]), metadata});
    write_fragment(inst, ops[0], d, bits);
}

void Emitter::emit_wmma_product(const Inst& inst) {
    MatrixForm form = form_of(inst);
    const auto& ops = inst.operands;
    const int bits = form.a == tensor::Element::f64 ? 64 : 32;
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(bits), warp_lanes);
    const kernel::MatrixProducts products = kernel::matrix_products(inst);
    const Op *a = &ops[1], *b = &ops[2];
    if (products.exchanged) {
        std::swap(a, b);
        std::swap(form.a, form.b);
    }
    form.m = static_cast<std::uint16_t>(products.m);
    form.n = static_cast<std::uint16_t>(products.n);
    form.k = static_cast<std::uint16_t>(products.k);
    Value* d = scratch(llvm::ArrayType::get(lanes, ops[0].elements.size()));
    Value* none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    for (const kernel::MatrixProducts::One& one : products.all) {
        Value* to = builder_.CreateConstInBoundsGEP1_64(lanes, d, static_cast<std::uint64_t>(one.d.first));
        Value* c = one.goes_on ? to : fragment(ops[3], one.c.first, one.c.count, bits);
        builder_.CreateCall(program_.external("lockstep_mma", &lockstep_mma),
                            {builder_.getInt64(form.pack()), to, fragment(*a, one.a.first, one.a.count, bits),
                             fragment(*b, one.b.first, one.b.count, bits), c, none});
    }
    write_fragment(inst, ops[0], d, bits);
}

Emitter::Value* Emitter::turned(Value* words) {
    Value* out = scratch(words->getType());
    builder_.CreateCall(program_.external("lockstep_turn", &lockstep_turn), {spill(words), out});
    return builder_.CreateLoad(words->getType(), out);
}

// In the module's constants.
Emitter::Value* Emitter::constant_words(const std::array<int, 32>& values) {
    std::vector<std::uint32_t> words(values.begin(), values.end());
    llvm::Constant* data = llvm::ConstantDataArray::get(context_, words);
    return new llvm::GlobalVariable(*target_->getParent(), data->getType(), true,
                                    llvm::GlobalValue::PrivateLinkage, data, "lanes");
}

void Emitter::emit_wmma_move(const Inst& inst) {
    const bool store = inst.has(Modifier::store);
    const ptx::Fragment said = ptx::fragment_of(inst, store ? "c" : "d");
    const Op& registers = inst.operands[store ? 1 : 0];
    const int element_bits = ptx::type_bits(said.element), bits = element_bits == 64 ? 64 : 32;
    const auto units = kernel::matrix_units(inst);
    Value* mask = instruction_mask(inst);
    // All lanes have the same address and stride: elements from one line to the next, which follow each other
    // where none is given.
    auto same = [&](const Op& op, int width) {
        if (is_scalar_operand(op)) return read_bits(op, width, true);
        return builder_.CreateExtractElement(read_bits(op, width, false), std::uint64_t{0});
    };
    Value* stride;
    if (inst.operands.size() > 2) {
        stride = same(inst.operands[2], 32);
    } else {
        const auto [m, n, k] = inst.shape;
        const bool row = inst.has(Modifier::row);
        const int line = said.role == ptx::MatrixRole::a   ? (row ? k : m)
                         : said.role == ptx::MatrixRole::b ? (row ? n : k)
                                                           : (row ? n : m);
        stride = builder_.getInt32(static_cast<std::uint32_t>(line));
    }
    Value* start = nullptr;
    std::vector<Value*> parts(registers.elements.size(), nullptr);
    for (std::size_t u = 0; u < units.size(); ++u) {
        const kernel::MatrixUnit& unit = units[u];
        Access a = access(inst, static_cast<std::uint32_t>(u));
        if (!start)
            start = a.uniform ? a.first : builder_.CreateExtractElement(lane_addresses(a), std::uint64_t{0});
        llvm::Type* addresses = llvm::FixedVectorType::get(int_type(64), warp_lanes);
        Value* at = scratch(addresses);
        builder_.CreateCall(program_.external("lockstep_matrix_addresses", &lockstep_matrix_addresses),
                            {start, stride, builder_.getInt32(static_cast<std::uint32_t>(element_bits)),
                             constant_words(unit.line), constant_words(unit.element), at});
        a.lanes = builder_.CreateLoad(addresses, at);
        a.first = a.linear = nullptr;
        a.uniform = a.is_linear = false;
        a.rows.clear();
        record_access(a, mask);
        const int register_bits = unit.bytes == 1 ? 8 : bits, words = std::max(1, unit.bytes * 8 / bits);
        llvm::Type* type = llvm::FixedVectorType::get(int_type(register_bits), warp_lanes * words);
        const auto reg = static_cast<std::size_t>(unit.reg);
        if (store) {
            std::vector<Value*> data;
            for (int w = 0; w < words; ++w)
                data.push_back(read_bits(registers.elements[reg + static_cast<std::size_t>(w)], bits, false));
            if (unit.turned) data[0] = turned(data[0]);
            move_lanes(a, mask, spill(words == 1 ? data[0] : interleave(data)), false);
            continue;
        }
        Value* memory = scratch(type);
        builder_.CreateStore(llvm::Constant::getNullValue(type), memory);
        move_lanes(a, mask, memory, true);
        Value* loaded = builder_.CreateLoad(type, memory);
        for (int w = 0; w < words; ++w) {
            std::vector<int> pick;
            for (int lane = 0; lane < warp_lanes; ++lane) pick.push_back(lane * words + w);
            Value* value = words == 1 ? loaded : builder_.CreateShuffleVector(loaded, pick);
            if (unit.turned) value = turned(value);
            if (unit.bytes == 1) {
                value = builder_.CreateZExt(value, llvm::FixedVectorType::get(int_type(32), warp_lanes));
                value = builder_.CreateShl(value, constant(value, static_cast<std::uint64_t>(unit.shift)));
            }
            Value*& part = parts[reg + static_cast<std::size_t>(w)];
            part = part ? builder_.CreateOr(part, value) : value;
        }
    }
    if (store) return;
    const auto distinct = static_cast<std::size_t>(kernel::distinct_registers(inst));
    for (std::size_t i = 0; i < parts.size(); ++i) write(inst, registers.elements[i], parts[i % distinct]);
}

// Lanes 0 to 7 hold the addresses of the first matrix' rows, and so on; the mask has those that do.
std::pair<Emitter::Access, Emitter::Value*> Emitter::access_rows(const Inst& inst, std::size_t matrices) {
    Value* rows = builder_.getInt32(matrices == 4 ? ~0u : (1u << (8 * matrices)) - 1);
    Value* mask = builder_.CreateAnd(instruction_mask(inst), rows);
    Access a = access(inst);
    a.lanes = lane_addresses(a);
    a.first = a.linear = nullptr;
    a.uniform = a.is_linear = false;
    a.rows.clear();
    record_access(a, mask);
    return {a, mask};
}

// A lane gets a pair of neighbours in a row.
void Emitter::emit_ldmatrix(const Inst& inst) {
    const std::size_t matrices = inst.operands[0].elements.size();
    auto [a, mask] = access_rows(inst, matrices);
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(32), warp_lanes);
    llvm::Type* type = llvm::ArrayType::get(lanes, 4);
    Value* memory = scratch(type);
    builder_.CreateStore(llvm::Constant::getNullValue(type), memory);
    move_lanes(a, mask, memory, true);
    for (std::size_t i = 0; i < matrices; ++i) {
        Value* value = builder_.CreateLoad(lanes, builder_.CreateConstInBoundsGEP1_64(lanes, memory, i));
        write(inst, inst.operands[0].elements[i], inst.has(Modifier::trans) ? turned(value) : value);
    }
}

void Emitter::emit_stmatrix(const Inst& inst) {
    const Op& registers = inst.operands[1];
    const std::size_t matrices = registers.elements.size();
    auto [a, mask] = access_rows(inst, matrices);
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(32), warp_lanes);
    Value* memory = scratch(llvm::ArrayType::get(lanes, 4));
    for (std::size_t i = 0; i < 4; ++i) {
        Value* value =
            i < matrices ? read_bits(registers.elements[i], 32, false) : llvm::Constant::getNullValue(lanes);
        if (i < matrices && inst.has(Modifier::trans)) value = turned(value);
        builder_.CreateStore(value, builder_.CreateConstInBoundsGEP1_64(lanes, memory, i));
    }
    move_lanes(a, mask, memory, false);
}

// The warps of a group have 16 rows each, and need nothing of each other. The product is made at once: nobody
// may look at it, or change what it reads, before it was waited for.
void Emitter::emit_wgmma(const Inst& inst) {
    if (inst.has(Modifier::commit_group) || inst.has(Modifier::wait_group))
        return record_fence(instruction_mask(inst));
    if (!inst.has(Modifier::mma_async)) return;  // a fence of registers
    const auto& ops = inst.operands;
    MatrixForm form = form_of(inst);
    const Op& accumulators = ops.back();  // once more, as they are read: kernel::build
    const bool in_registers = ops[1].kind == Op::Kind::vector;
    auto first_lane = [&](const Op& op) {
        return builder_.CreateExtractElement(read_bits(op, 64, false), std::uint64_t{0});
    };
    Value* const none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    Value* metadata = none;
    std::size_t next = 3;  // after d, a and b
    if (form.sparse) {
        metadata = spill(read_bits(ops[next++], 32, false));
        form.selector = static_cast<std::uint8_t>(ops[next++].bits & 3);
    }
    // Whether d is added to, signs of a and b, and which of them are turned.
    const Op& adds = ops[next++];
    std::vector<std::uint64_t> constants;
    for (std::size_t i = next; i + 1 < ops.size(); ++i) constants.push_back(ops[i].bits);
    auto constant_at = [&](std::size_t i) { return i < constants.size() ? constants[i] : 0; };
    std::uint32_t how = 0;
    if (static_cast<std::int64_t>(constant_at(0)) < 0) how |= 2;
    if (static_cast<std::int64_t>(constant_at(1)) < 0) how |= 4;
    if (!in_registers && constant_at(2)) how |= 8;
    if (constant_at(in_registers ? 2 : 3)) how |= 16;
    Value* accumulate = nullptr;
    if (adds.kind == Op::Kind::integer) {
        accumulate = builder_.getInt32(adds.bits != 0);
    } else {
        Value* on = predicate(adds, false);
        if (is_vector(on)) on = builder_.CreateExtractElement(on, std::uint64_t{0});
        accumulate = builder_.CreateZExt(on, int_type(32));
    }
    const int count = static_cast<int>(accumulators.elements.size());
    Value* d = fragment(accumulators, 0, count, 32);
    if (records(events::Wants::texels)) publish_records();  // the function makes its own
    builder_.CreateCall(
        program_.callback(Callback::warpgroup_product),
        {ctx_, builder_.getInt32(own_site()), builder_.getInt32(add_site(inst)),
         builder_.getInt64(form.pack()), in_registers ? builder_.getInt64(0) : first_lane(ops[1]),
         first_lane(ops[2]), in_registers ? fragment(ops[1], 0, 4, 32) : none, metadata,
         builder_.CreateOr(accumulate, builder_.getInt32(how)), d});
    write_fragment(inst, ops[0], d, 32);
}

bool Emitter::emit_matrix(const Inst& inst) {
    if (inst.syntax().family != ptx::Family::matrix) return false;
    check_whole_warp(inst);
    switch (inst.opcode) {
        case Opcode::mma: emit_product(inst); return true;
        case Opcode::wmma:
            inst.has(Modifier::load) || inst.has(Modifier::store) ? emit_wmma_move(inst)
                                                                  : emit_wmma_product(inst);
            return true;
        case Opcode::ldmatrix: emit_ldmatrix(inst); return true;
        case Opcode::stmatrix: emit_stmatrix(inst); return true;
        case Opcode::movmatrix:
            write(inst, inst.operands[0], turned(read_bits(inst.operands[1], 32, false)));
            return true;
        case Opcode::wgmma: emit_wgmma(inst); return true;
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
