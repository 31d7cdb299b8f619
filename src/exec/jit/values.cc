// Registers, operands and masks.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include "exec/jit/emitter.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using kernel::Shape;
using ptx::SpecialRegister;
using SKind = Shape::Kind;

llvm::Type* Emitter::int_type(int bits) { return llvm::IntegerType::get(context_, bits); }

llvm::Type* Emitter::like(Value* shape, llvm::Type* scalar) {
    return is_vector(shape) ? llvm::FixedVectorType::get(scalar, warp_lanes) : scalar;
}

llvm::Type* Emitter::float_type(Type type) {
    return type == Type::f64 ? llvm::Type::getDoubleTy(context_) : llvm::Type::getFloatTy(context_);
}

Emitter::Value* Emitter::splat(Value* scalar) {
    return is_vector(scalar) ? scalar : builder_.CreateVectorSplat(warp_lanes, scalar);
}

Emitter::Value* Emitter::constant(Value* shape, std::uint64_t value) {
    return llvm::ConstantInt::get(shape->getType(), value);
}

Emitter::Value* Emitter::constant_float(Value* shape, double value) {
    return llvm::ConstantFP::get(shape->getType(), value);
}

Emitter::Value* Emitter::lane_index(int bits) {
    std::vector<llvm::Constant*> lanes;
    for (int lane = 0; lane < warp_lanes; ++lane)
        lanes.push_back(llvm::ConstantInt::get(int_type(bits), lane));
    return llvm::ConstantVector::get(lanes);
}

Emitter::Value* Emitter::column_index(int bits) {
    std::vector<llvm::Constant*> columns;
    const int width = warp_lanes / warp_rows();
    for (int lane = 0; lane < warp_lanes; ++lane)
        columns.push_back(llvm::ConstantInt::get(int_type(bits), static_cast<std::uint64_t>(lane % width)));
    return llvm::ConstantVector::get(columns);
}

int Emitter::rows_of_result(const Inst& inst) const {
    if (inst.operands.empty() || inst.operands[0].kind != Op::Kind::reg) return 1;
    return kernel::is_destination(inst, 0) ? slots_[inst.operands[0].id].rows : 1;
}

void Emitter::for_each_row(int rows, llvm::function_ref<void()> body) {
    for (row_ = 0; row_ < rows; ++row_) body();
    row_ = 0;
}

bool Emitter::is_scalar_operand(const Op& op) const {
    switch (op.kind) {
        case Op::Kind::reg: return shape(op).is_uniform();
        case Op::Kind::special: {
            auto reg = static_cast<SpecialRegister>(op.id);
            switch (reg) {
                case SpecialRegister::tid_x:
                case SpecialRegister::laneid:
                case SpecialRegister::lanemask_eq:
                case SpecialRegister::lanemask_ge:
                case SpecialRegister::lanemask_gt:
                case SpecialRegister::lanemask_le:
                case SpecialRegister::lanemask_lt: return false;
                case SpecialRegister::tid_y:
                case SpecialRegister::tid_z: return program_.kernel.row_lanes == warp_lanes;
                default: return true;
            }
        }
        default: return true;
    }
}

Emitter::Value* Emitter::context_field(std::size_t offset, llvm::Type* type, const char* name,
                                       bool constant) {
    Value* const from = constant && same_in_block(offset) ? block_ : ctx_;
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), from, offset);
    llvm::LoadInst* field = builder_.CreateLoad(type, address, name);
    if (constant)
        field->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    else
        program_.mark_state(field);
    return field;
}

void Emitter::set_context_field(std::size_t offset, Value* value) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), ctx_, offset);
    program_.mark_state(builder_.CreateStore(value, address));
}

Emitter::Value* Emitter::load_held(std::size_t reg) {
    const Slot& slot = slots_[reg];
    return slot.at_home ? load_home(reg) : builder_.CreateLoad(slot.type, slot.value[row_of(slot)]);
}

Emitter::Value* Emitter::load_held_offset(std::size_t reg) {
    const Slot& slot = slots_[reg];
    return slot.at_home ? load_state(home_offset(reg), int_type(64))
                        : builder_.CreateLoad(int_type(64), slot.offset[row_of(slot)]);
}

void Emitter::store_held(std::size_t reg, Value* value) {
    const Slot& slot = slots_[reg];
    slot.at_home ? store_home(reg, value) : void(builder_.CreateStore(value, slot.value[row_of(slot)]));
}

void Emitter::store_held_offset(std::size_t reg, Value* offset) {
    const Slot& slot = slots_[reg];
    slot.at_home ? store_state(home_offset(reg), offset)
                 : void(builder_.CreateStore(offset, slot.offset[row_of(slot)]));
}

std::size_t Emitter::row_of(const Slot& slot) const {
    return slot.rows > 1 ? static_cast<std::size_t>(row_) : 0;
}

// What a register holds, or its offset, in each lane: the warp's one value, or that of the lane's row.
Emitter::Value* Emitter::held_in_lanes(std::size_t reg, bool offset) {
    const auto load = [&] { return offset ? load_held_offset(reg) : load_held(reg); };
    const int rows = slots_[reg].rows;
    if (rows == 1) return splat(load());
    const int row = row_;
    Value* lanes = nullptr;
    std::vector<int> second(warp_lanes);
    for_each_row(rows, [&] {
        Value* here = splat(load());
        for (int lane = 0; lane < warp_lanes; ++lane)
            second[static_cast<std::size_t>(lane)] =
                lane + (lane * rows / warp_lanes == row_ ? warp_lanes : 0);
        lanes = lanes ? builder_.CreateShuffleVector(lanes, here, second) : here;
    });
    row_ = row;
    return lanes;
}

Emitter::Value* Emitter::read_register(std::uint32_t reg, bool scalar) {
    const Shape& shape = shapes_.registers[reg];
    if (scalar && shape.kind != SKind::wide) return load_held(reg);
    Value* value = held_in_lanes(reg, false);
    switch (shape.kind) {
        case SKind::uniform: return value;
        case SKind::affine: {
            if (shape.stride == 0) return value;
            Value* lanes = column_index(static_cast<int>(value->getType()->getScalarSizeInBits()));
            if (shape.stride != 1) lanes = builder_.CreateMul(lanes, constant(lanes, shape.stride));
            return builder_.CreateAdd(value, lanes);
        }
        case SKind::wide: {
            Value* offset = held_in_lanes(reg, true);
            Value* lanes = column_index(32);
            if (shape.stride != 1) lanes = builder_.CreateMul(lanes, constant(lanes, shape.stride));
            lanes = builder_.CreateAdd(value, lanes);
            llvm::Type* wide = llvm::FixedVectorType::get(int_type(64), warp_lanes);
            lanes = shape.sign_extend ? builder_.CreateSExt(lanes, wide) : builder_.CreateZExt(lanes, wide);
            if (shape.scale != 1) lanes = builder_.CreateMul(lanes, constant(lanes, shape.scale));
            return builder_.CreateAdd(lanes, offset);
        }
        case SKind::varying: return value;
    }
    return value;
}

Emitter::Value* Emitter::read_bits(const Op& op, int bits, bool scalar) {
    auto fit = [&](Value* value) { return builder_.CreateZExtOrTrunc(value, like(value, int_type(bits))); };
    switch (op.kind) {
        case Op::Kind::reg: {
            Value* value = read_register(op.id, scalar);
            if (lazy_nan_[op.id] != Type::none) value = canonical_nan(value, lazy_nan_[op.id]);
            value = fit(value);
            return op.negated ? builder_.CreateNot(value) : value;
        }
        case Op::Kind::special: return fit(read_special(op, scalar));
        case Op::Kind::integer:
        case Op::Kind::f32:
        case Op::Kind::f64: {
            Value* value = llvm::ConstantInt::get(int_type(bits), op.bits);
            return scalar ? value : splat(value);
        }
        case Op::Kind::variable:
        case Op::Kind::function: {
            Value* value = fit(address_of(op));
            return scalar ? value : splat(value);
        }
        default: {
            Value* value = llvm::ConstantInt::get(int_type(bits), 0);
            return scalar ? value : splat(value);
        }
    }
}

Emitter::Value* Emitter::read(const Op& op, Type type, bool scalar) {
    return read_bits(op, type == Type::pred ? 1 : ptx::type_bits(type), scalar);
}

// Symbols are numbers: shared variables an offset in the block's window, local ones an offset in the thread's
// frame, everything else the device address.
Emitter::Value* Emitter::address_of(const Op& op) {
    llvm::Type* i64 = int_type(64);
    if (op.kind == Op::Kind::function)
        return llvm::ConstantInt::get(i64, program_.symbols.function_ids[op.id]);
    const ptx::Variable& variable = op.local ? function_.variables[op.id] : program_.ptx.variables[op.id];
    if (variable.space == ptx::Space::shared)
        return llvm::ConstantInt::get(i64, program_.shared_offsets.at(variable.name) + op.offset);
    // What a texture's name stands for is the object that is bound to it.
    if (!op.local && ptx::type_class(variable.type) == ptx::TypeClass::opaque)
        return builder_.CreateLoad(
            i64, builder_.CreateIntToPtr(program_.variable_address(builder_, op.id), builder_.getPtrTy()));
    if (!op.local)
        return builder_.CreateAdd(program_.variable_address(builder_, op.id),
                                  llvm::ConstantInt::getSigned(i64, op.offset));
    if (variable.space == ptx::Space::local) {
        auto offset = function_.local_offsets.at(op.id);
        Value* base = builder_.CreateZExt(frame_, i64);
        return builder_.CreateAdd(base, llvm::ConstantInt::get(i64, offset + op.offset));
    }
    return builder_.CreateAdd(builder_.CreatePtrToInt(parameters(), i64),
                              llvm::ConstantInt::get(i64, parameter_offset(op.id) + op.offset));
}

std::uint64_t Emitter::parameter_offset(std::uint32_t variable) const {
    std::uint64_t offset = 0;
    for (std::uint32_t p : function_.params) {
        const ptx::Variable& param = function_.variables[p];
        offset = (offset + param.align() - 1) / param.align() * param.align();
        if (p == variable) break;
        offset += param.size();
    }
    return offset;
}

Emitter::Value* Emitter::parameters() {
    Value* const at = context_field(offsetof(WarpContext, params), builder_.getPtrTy(), "params");
    const std::uint64_t bytes =
        function_.entry && !function_.params.empty()
            ? parameter_offset(function_.params.back()) + function_.variables[function_.params.back()].size()
            : 0;
    // So that what is loaded from there may be loaded earlier.
    const auto says = [&](unsigned what, std::uint64_t value) {
        llvm::cast<llvm::LoadInst>(at)->setMetadata(
            what, llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(builder_.getInt64(value))));
    };
    if (bytes > 0) {
        says(llvm::LLVMContext::MD_dereferenceable, bytes);
        says(llvm::LLVMContext::MD_align, alignof(std::max_align_t));
    }
    return at;
}

Emitter::Value* Emitter::read_special(const Op& op, bool scalar) {
    auto reg = static_cast<SpecialRegister>(op.id);
    llvm::Type* i32 = int_type(32);
    auto field = [&](std::size_t offset, int bits = 32) {
        Value* value = context_field(offset, int_type(bits), "");
        return scalar ? value : splat(value);
    };
    auto number = [&](std::uint64_t n, int bits = 32) {
        Value* value = llvm::ConstantInt::get(int_type(bits), n);
        return scalar ? value : splat(value);
    };
    auto thread = [&](int axis) -> Value* {
        const auto number = static_cast<std::size_t>(axis);
        const auto first = [&] {
            return context_field(offsetof(WarpContext, first_thread) + number * sizeof(std::uint32_t), i32,
                                 "tid");
        };
        if (scalar && row_ == 0) return first();
        if (!scalar && program_.kernel.row_lanes == warp_lanes)
            return axis == 0 ? builder_.CreateAdd(splat(first()), lane_index(32)) : splat(first());
        Value* table = context_field(offsetof(WarpContext, thread) + number * sizeof(void*),
                                     builder_.getPtrTy(), "tids");
        if (scalar) {
            const int lane = row_ * (warp_lanes / warp_rows());
            return builder_.CreateLoad(i32, builder_.CreateConstInBoundsGEP1_64(i32, table, lane));
        }
        return builder_.CreateAlignedLoad(llvm::FixedVectorType::get(i32, warp_lanes), table, llvm::Align(4));
    };
    auto lanemask = [&](auto&& bits_of_lane) -> Value* {
        std::vector<llvm::Constant*> lanes;
        for (int lane = 0; lane < warp_lanes; ++lane)
            lanes.push_back(llvm::ConstantInt::get(i32, static_cast<std::uint32_t>(bits_of_lane(lane))));
        return llvm::ConstantVector::get(lanes);
    };
    auto clock = [&](Callback which) {
        Value* value = builder_.CreateCall(program_.callback(which), {ctx_});
        return scalar ? value : splat(value);
    };
    auto high = [&](Value* value) { return builder_.CreateLShr(value, constant(value, 32)); };
    using R = SpecialRegister;
    switch (reg) {
        case R::tid_x: return thread(0);
        case R::tid_y: return thread(1);
        case R::tid_z: return thread(2);
        case R::ntid_x: return field(offsetof(WarpContext, block_extent));
        case R::ntid_y: return field(offsetof(WarpContext, block_extent) + 4);
        case R::ntid_z: return field(offsetof(WarpContext, block_extent) + 8);
        case R::ctaid_x: return field(offsetof(WarpContext, block));
        case R::ctaid_y: return field(offsetof(WarpContext, block) + 4);
        case R::ctaid_z: return field(offsetof(WarpContext, block) + 8);
        case R::nctaid_x: return field(offsetof(WarpContext, grid_extent));
        case R::nctaid_y: return field(offsetof(WarpContext, grid_extent) + 4);
        case R::nctaid_z: return field(offsetof(WarpContext, grid_extent) + 8);
        case R::laneid: return scalar ? number(row_ * (warp_lanes / warp_rows())) : lane_index(32);
        case R::warpid: return field(offsetof(WarpContext, warp));
        case R::nwarpid: return field(offsetof(WarpContext, warps));
        case R::smid: return field(offsetof(WarpContext, sm));
        case R::nsmid: return number(program_.sms);
        case R::gridid: return number(0, 64);
        case R::lanemask_eq: return lanemask([](int l) { return 1u << l; });
        case R::lanemask_lt: return lanemask([](int l) { return (1u << l) - 1; });
        case R::lanemask_le: return lanemask([](int l) { return (2u << l) - 1; });
        case R::lanemask_gt: return lanemask([](int l) { return ~((2u << l) - 1); });
        case R::lanemask_ge: return lanemask([](int l) { return ~((1u << l) - 1); });
        case R::clock:
        case R::clock64: return clock(Callback::clock);
        case R::clock_hi: return high(clock(Callback::clock));
        case R::globaltimer:
        case R::globaltimer_lo: return clock(Callback::globaltimer);
        case R::globaltimer_hi: return high(clock(Callback::globaltimer));
        case R::dynamic_smem_size: return field(offsetof(WarpContext, dynamic_shared_bytes));
        case R::total_smem_size:
        case R::aggr_smem_size: return field(offsetof(WarpContext, shared_bytes));
        case R::warp_size: return number(warp_lanes);
        case R::cluster_ctaid_x: return field(offsetof(WarpContext, cluster_block));
        case R::cluster_ctaid_y: return field(offsetof(WarpContext, cluster_block) + 4);
        case R::cluster_ctaid_z: return field(offsetof(WarpContext, cluster_block) + 8);
        case R::cluster_nctaid_x: return field(offsetof(WarpContext, cluster_extent));
        case R::cluster_nctaid_y: return field(offsetof(WarpContext, cluster_extent) + 4);
        case R::cluster_nctaid_z: return field(offsetof(WarpContext, cluster_extent) + 8);
        case R::cluster_ctarank: return field(offsetof(WarpContext, cluster_rank));
        case R::cluster_nctarank: return field(offsetof(WarpContext, cluster_size));
        case R::clusterid_x: return field(offsetof(WarpContext, cluster));
        case R::clusterid_y: return field(offsetof(WarpContext, cluster) + 4);
        case R::clusterid_z: return field(offsetof(WarpContext, cluster) + 8);
        case R::nclusterid_x: return field(offsetof(WarpContext, cluster_grid));
        case R::nclusterid_y: return field(offsetof(WarpContext, cluster_grid) + 4);
        case R::nclusterid_z: return field(offsetof(WarpContext, cluster_grid) + 8);
        case R::is_explicit_cluster: return field(offsetof(WarpContext, clustered));
        case R::envreg1: return field(offsetof(WarpContext, workspace) + 4);
        case R::envreg2: return field(offsetof(WarpContext, workspace));
        case R::reserved_smem_offset_1: return field(offsetof(WarpContext, reserved_shared));
        case R::current_graph_exec: return field(offsetof(WarpContext, graph), 64);
        case R::count: break;
    }
    return number(0);
}

Emitter::Value* Emitter::as_float(Value* bits, Type type) {
    return builder_.CreateBitCast(bits, like(bits, float_type(type)));
}

Emitter::Value* Emitter::as_bits(Value* value) {
    llvm::Type* scalar = value->getType()->getScalarType();
    if (!scalar->isFloatingPointTy()) return value;
    return builder_.CreateBitCast(value, like(value, int_type(scalar->getScalarSizeInBits())));
}

bool Emitter::scalar_result(const Inst& inst) const {
    if (inst.operands.empty()) return true;
    const Op* dst = &inst.operands[0];
    while (!dst->elements.empty()) dst = &dst->elements[0];
    if (dst->kind != Op::Kind::reg) {
        // Nothing is written: scalar if all inputs are.
        for (const Op& op : inst.operands)
            if (!is_scalar_operand(op)) return false;
        return true;
    }
    return shape(*dst).kind == SKind::uniform || shape(*dst).kind == SKind::affine;
}

void Emitter::store_register(std::uint32_t reg, Value* value) {
    store_held(reg, value);
    bits_of_.erase(reg);
}

void Emitter::write(const Inst& inst, const Op& dst, Value* value, bool sign_extend) {
    if (dst.kind != Op::Kind::reg) return;  // the sink _
    value = as_bits(value);
    llvm::Type* stored = slots_[dst.id].type;
    bool vector = stored->isVectorTy();
    if (vector) value = splat(value);
    llvm::Type* scalar = stored->getScalarType();
    if (value->getType()->getScalarType() != scalar) {
        llvm::Type* to = like(value, scalar);
        value = sign_extend ? builder_.CreateSExtOrTrunc(value, to) : builder_.CreateZExtOrTrunc(value, to);
    }
    if (vector) {
        bool blend = shapes_.blend[current_][dst.id];
        if (inst.guard || blend) {
            Value* keep =
                blend ? instruction_lanes(inst)
                      : predicate(
                            {.kind = Op::Kind::reg, .negated = inst.guard->negated, .id = inst.guard->reg},
                            false);
            Value* old = load_held(dst.id);
            value = builder_.CreateSelect(keep, value, old);
        }
    } else if (inst.guard) {
        Value* on =
            predicate({.kind = Op::Kind::reg, .negated = inst.guard->negated, .id = inst.guard->reg}, true);
        Value* old = load_held(dst.id);
        value = builder_.CreateSelect(on, value, old);
    }
    store_register(dst.id, value);
}

Emitter::Wide Emitter::read_wide(const Op& op) { return {load_held(op.id), load_held_offset(op.id)}; }

bool Emitter::emit_wide(const Inst& inst) {
    if (inst.operands.empty() || inst.operands[0].kind != Op::Kind::reg) return false;
    if (!kernel::is_destination(inst, 0)) return false;
    const Op& dst = inst.operands[0];
    if (shape(dst).kind != SKind::wide) return false;
    llvm::Type* i64 = int_type(64);
    auto is_wide = [&](const Op& op) { return op.kind == Op::Kind::reg && shape(op).kind == SKind::wide; };
    auto uniform = [&](const Op& op) { return read_bits(op, 64, true); };
    auto widened = [&](const Op& op) {
        return Wide{read_bits(op, 32, true), llvm::ConstantInt::get(i64, 0)};
    };
    Wide out{};
    const auto& ops = inst.operands;
    auto scaled = [&](Wide w, const Op& factor) {
        return Wide{w.base, builder_.CreateMul(w.offset, llvm::ConstantInt::get(i64, factor.bits))};
    };
    switch (inst.opcode) {
        case ptx::Opcode::mov: out = read_wide(ops[1]); break;
        case ptx::Opcode::cvta: {
            out = read_wide(ops[1]);
            if (inst.has(ptx::Modifier::shared)) {
                Value* window = builder_.CreatePtrToInt(
                    context_field(offsetof(WarpContext, shared), builder_.getPtrTy(), "shared"), i64);
                out.offset = inst.has(ptx::Modifier::to) ? builder_.CreateSub(out.offset, window)
                                                         : builder_.CreateAdd(out.offset, window);
            }
            break;
        }
        case ptx::Opcode::add: {
            bool first = is_wide(ops[1]);
            out = read_wide(first ? ops[1] : ops[2]);
            out.offset = builder_.CreateAdd(out.offset, uniform(first ? ops[2] : ops[1]));
            break;
        }
        case ptx::Opcode::sub:
            out = read_wide(ops[1]);
            out.offset = builder_.CreateSub(out.offset, uniform(ops[2]));
            break;
        case ptx::Opcode::mul:
        case ptx::Opcode::mad: {
            if (inst.has(ptx::Modifier::wide)) {
                out = widened(ops[1]);
            } else {
                bool first = is_wide(ops[1]);
                if (first || is_wide(ops[2]))
                    out = scaled(read_wide(first ? ops[1] : ops[2]), first ? ops[2] : ops[1]);
                else  // only the addend is wide
                    out = {nullptr, builder_.CreateMul(uniform(ops[1]), uniform(ops[2]))};
            }
            if (inst.opcode == ptx::Opcode::mad) {
                if (is_wide(ops[3])) {
                    Wide addend = read_wide(ops[3]);
                    out = {addend.base, builder_.CreateAdd(addend.offset, out.offset)};
                } else {
                    out.offset = builder_.CreateAdd(out.offset, uniform(ops[3]));
                }
            }
            break;
        }
        case ptx::Opcode::shl:
            out = read_wide(ops[1]);
            out.offset = builder_.CreateShl(out.offset, llvm::ConstantInt::get(i64, ops[2].bits));
            break;
        case ptx::Opcode::cvt: out = is_wide(ops[1]) ? read_wide(ops[1]) : widened(ops[1]); break;
        default: fail(inst, "internal error: no wide form"); return true;
    }
    if (inst.guard) {
        Value* on =
            predicate({.kind = Op::Kind::reg, .negated = inst.guard->negated, .id = inst.guard->reg}, true);
        Wide old = read_wide(dst);
        out = {builder_.CreateSelect(on, out.base, old.base),
               builder_.CreateSelect(on, out.offset, old.offset)};
    }
    store_held(dst.id, out.base);
    store_held_offset(dst.id, out.offset);
    return true;
}

// ---- predicates and masks ----

Emitter::Value* Emitter::predicate(const Op& op, bool scalar) { return read_bits(op, 1, scalar); }

Emitter::Value* Emitter::to_bits(Value* lanes) {
    if (!is_vector(lanes)) return builder_.CreateSExt(lanes, int_type(32));
    if (!program_.target.aarch64) return builder_.CreateBitCast(lanes, int_type(32));
    // The backend knows a good sequence for 16 lanes, none for 32.
    Value* halves[2];
    for (int half = 0; half < 2; ++half) {
        std::vector<int> index;
        for (int lane = 0; lane < 16; ++lane) index.push_back(half * 16 + lane);
        Value* part = builder_.CreateShuffleVector(lanes, index);
        halves[half] = builder_.CreateZExt(builder_.CreateBitCast(part, int_type(16)), int_type(32));
    }
    return builder_.CreateOr(halves[0], builder_.CreateShl(halves[1], 16));
}

Emitter::Value* Emitter::to_lanes(Value* bits) {
    if (program_.target.mask_registers)
        return builder_.CreateBitCast(bits, llvm::FixedVectorType::get(builder_.getInt1Ty(), warp_lanes));
    std::vector<llvm::Constant*> one_bit;
    for (int lane = 0; lane < warp_lanes; ++lane)
        one_bit.push_back(llvm::ConstantInt::get(int_type(32), 1u << lane));
    Value* tested = builder_.CreateAnd(splat(bits), llvm::ConstantVector::get(one_bit));
    return builder_.CreateICmpNE(tested, constant(tested, 0));
}

Emitter::Value* Emitter::known_bits(const Op& op) {
    if (op.kind != Op::Kind::reg || function_.registers[op.id].type != Type::pred) return nullptr;
    Value* bits = nullptr;
    if (shape(op).is_uniform())
        bits = to_bits(read_register(op.id, true));
    else if (auto found = bits_of_.find(op.id); found != bits_of_.end())
        bits = found->second;
    return bits && op.negated ? builder_.CreateNot(bits) : bits;
}

bool Emitter::may_know_bits(const Inst& inst) const {
    const Op& dst = inst.operands[0];
    return dst.kind == Op::Kind::reg && shape(dst).is_varying() && !inst.guard &&
           !shapes_.blend[current_][dst.id];
}

void Emitter::know_bits(const Inst& inst, Value* bits) {
    if (may_know_bits(inst)) bits_of_[inst.operands[0].id] = bits;
}

Emitter::Value* Emitter::guard_bits(const ptx::Guard& guard) {
    Value* bits;
    if (auto found = bits_of_.find(guard.reg); found != bits_of_.end()) {
        bits = found->second;
    } else {
        bool scalar = shapes_.registers[guard.reg].is_uniform();
        bits = to_bits(read_register(guard.reg, scalar));
        bits_of_[guard.reg] = bits;
    }
    return guard.negated ? builder_.CreateNot(bits) : bits;
}

Emitter::Value* Emitter::active_mask() { return builder_.CreateLoad(int_type(32), mask_, "mask"); }

Emitter::Value* Emitter::instruction_mask(const Inst& inst) {
    Value* mask = active_mask();
    return inst.guard ? builder_.CreateAnd(mask, guard_bits(*inst.guard)) : mask;
}

Emitter::Value* Emitter::instruction_lanes(const Inst& inst) {
    if (!active_lanes_) active_lanes_ = to_lanes(active_mask());
    if (!inst.guard) return active_lanes_;
    bool scalar = shapes_.registers[inst.guard->reg].is_uniform();
    Value* on = splat(
        predicate({.kind = Op::Kind::reg, .negated = inst.guard->negated, .id = inst.guard->reg}, scalar));
    return builder_.CreateAnd(active_lanes_, on);
}

llvm::Type* Emitter::type_of(ScalarType type) {
    switch (type) {
        case ScalarType::f32: return builder_.getFloatTy();
        case ScalarType::f64: return builder_.getDoubleTy();
        case ScalarType::i64:
        case ScalarType::pointer: return int_type(64);
        default: return int_type(32);
    }
}

Emitter::Value* Emitter::call_lanes(const ScalarFunction& function, const std::vector<Value*>& args,
                                    bool scalar, Value* mask) {
    const std::string name(function.name);
    llvm::Type* result = type_of(function.result);
    if (scalar || !function.of_warp) return call_lanes(name, function.address, result, args, scalar, mask);
    std::vector<llvm::Type*> types(args.size() + 2, builder_.getPtrTy());
    types[0] = int_type(32);
    return call_warp(program_.external(name + ".warp", function.of_warp,
                                       llvm::FunctionType::get(builder_.getVoidTy(), types, false)),
                     result, args, mask);
}

Emitter::Value* Emitter::call_lanes(const std::string& name, void* function, llvm::Type* result,
                                    const std::vector<Value*>& args, bool scalar, Value* mask) {
    std::vector<llvm::Type*> types;
    for (Value* arg : args) types.push_back(arg->getType()->getScalarType());
    if (!scalar) return call_warp(program_.lanes_of(name, function, result, types), result, args, mask);
    auto callee = program_.external(name, function, llvm::FunctionType::get(result, types, false));
    return builder_.CreateCall(callee, args);
}

// Of a function that takes (mask, an array an argument …, the results).
Emitter::Value* Emitter::call_warp(llvm::FunctionCallee callee, llvm::Type* result,
                                   const std::vector<Value*>& args, Value* mask) {
    std::vector<Value*> call{mask};
    for (Value* arg : args) call.push_back(spill(splat(arg)));
    llvm::Type* lanes = llvm::FixedVectorType::get(result, warp_lanes);
    Value* out = scratch(lanes);
    call.push_back(out);
    builder_.CreateCall(callee, call);
    return builder_.CreateLoad(lanes, out);
}

void Emitter::fail(const Inst& inst, const std::string& why) {
    if (!error_) error_ = Error{why, {program_.ptx.name, inst.line, inst.column}};
}

}  // namespace lockstep::exec::jit
