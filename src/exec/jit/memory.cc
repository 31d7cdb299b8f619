// Loads and stores. Every address is checked before the access against the allocation that the instruction
// touched last; contiguous lanes are checked by their ends and move as one vector, others go lane by lane.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "exec/jit/emitter.h"
#include "kernel/accesses.h"
#include "kernel/operands.h"
#include "kernel/streamed-stores.h"

namespace lockstep::exec::jit {
namespace {

constexpr int host_line = 64;  // bytes, of caches on x86-64

// A store that writes less in the whole launch leaves in the caches what the next launch may read there. One
// that writes more would push out of them what it wrote first; past them, the lines need not be read before.
constexpr std::uint64_t streamed_bytes = std::uint64_t{32} << 20;

}  // namespace

using kernel::Shape;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Space;

// The instruction's access number `ordinal`, as the kernel lists them.
Emitter::Access Emitter::access(const Inst& inst, std::uint32_t ordinal) {
    return access(inst, kernel::accesses_of(function_, inst)[ordinal], own_site(ordinal));
}

Emitter::Access Emitter::access(const Inst& inst, const kernel::Access& said, std::uint32_t site) {
    const Op& address = inst.operands[said.operand];
    const Space space = said.space;
    const int bytes = said.bytes;
    Access a;
    a.bytes = bytes;
    a.align = bytes;
    a.inst = &inst;
    a.operand = &address;
    a.space = space;
    a.site = site;
    llvm::Type* i64 = int_type(64);
    const Op& base = address.kind == Op::Kind::address ? address.elements[0] : address;
    auto plus_offset = [&](Value* v) {
        return address.offset == 0
                   ? v
                   : builder_.CreateAdd(v, constant(v, static_cast<std::uint64_t>(address.offset)));
    };
    bool narrow = base.kind == Op::Kind::reg && ptx::type_bits(function_.registers[base.id].type) == 32;
    auto window = [&](std::size_t field) {
        return builder_.CreatePtrToInt(context_field(field, builder_.getPtrTy(), "window"), i64);
    };

    // Somewhere in the cluster: from here on a generic address.
    if (space == Space::shared && inst.has(Modifier::shared_cluster)) {
        a.of_cluster = true;
        a.space = Space::none;
        return a;
    }

    Value* window_base = nullptr;
    if (space == Space::shared) {
        window_base = window(offsetof(WarpContext, shared));
        Value* size =
            builder_.CreateZExt(context_field(offsetof(WarpContext, shared_bytes), int_type(32), ""), i64);
        if (const kernel::SharedVariable* const variable = exact_variable(address, bytes)) {
            program_.sites[site].variable_begin = variable->offset;
            program_.sites[site].variable_bytes = variable->size;
            a.begin = builder_.CreateAdd(window_base, llvm::ConstantInt::get(i64, variable->offset));
            a.limit = llvm::ConstantInt::get(i64, variable->size - static_cast<std::uint64_t>(bytes));
            a.exact = true;
        }
        Value* room = llvm::ConstantInt::get(i64, bytes);
        Value* any =
            builder_.CreateICmpUGE(size, room);  // with less room than one access nothing is in range
        if (!a.begin) {
            a.begin = builder_.CreateSelect(any, window_base, llvm::ConstantInt::get(i64, 1));
            a.limit =
                builder_.CreateSelect(any, builder_.CreateSub(size, room), llvm::ConstantInt::get(i64, 0));
        }
    } else if (space == Space::local) {
        window_base = window(offsetof(WarpContext, local));
    }
    a.window_base = window_base;

    if (space == Space::local) return a;  // a lane's own memory: never the same address in two lanes
    Shape::Kind shape_kind = base.kind == Op::Kind::reg ? shape(base).kind
                             : is_scalar_operand(base)  ? Shape::Kind::uniform
                                                        : Shape::Kind::varying;
    auto absolute = [&](Value* v) {
        return window_base ? builder_.CreateAdd(window_offset(v), window_base)
                           : builder_.CreateZExt(v, like(v, i64));
    };
    // Where the lanes of a row begin, and for a wide address whether they go on from there without a wrap.
    const int width = warp_lanes / warp_rows();
    auto affine_row = [&]() -> Access::Row {
        Value* from = read_bits(base, narrow ? 32 : 64, true);
        return {absolute(plus_offset(from)), from, nullptr};
    };
    auto wide_row = [&]() -> Access::Row {
        const Shape& s = shape(base);
        Wide parts = read_wide(base);
        std::uint32_t top =
            (s.sign_extend ? 0x7fffffffu : 0xffffffffu) - static_cast<std::uint32_t>((width - 1) * s.stride);
        Value* bound = llvm::ConstantInt::get(int_type(32), top);
        Value* linear = s.sign_extend ? builder_.CreateICmpSLE(parts.base, bound)
                                      : builder_.CreateICmpULE(parts.base, bound);
        a.linear = a.linear ? builder_.CreateAnd(a.linear, linear) : linear;
        Value* index =
            s.sign_extend ? builder_.CreateSExt(parts.base, i64) : builder_.CreateZExt(parts.base, i64);
        if (s.scale != 1) index = builder_.CreateMul(index, llvm::ConstantInt::get(i64, s.scale));
        return {absolute(plus_offset(builder_.CreateAdd(parts.offset, index))), parts.base, parts.offset};
    };
    auto linear = [&](llvm::function_ref<Access::Row()> row) {
        if (warp_rows() > 1) {
            for_each_row(slots_[base.id].rows, [&] { a.rows.push_back(row()); });
            return;
        }
        a.is_linear = true;
        const Access::Row whole = row();
        a.first = whole.first, a.base = whole.base, a.offset = whole.offset;
    };
    switch (shape_kind) {
        case Shape::Kind::uniform:
            a.uniform = true;
            a.first = absolute(plus_offset(read_bits(base, narrow ? 32 : 64, true)));
            break;
        case Shape::Kind::affine:
            a.stride = shape(base).stride;
            if (a.stride >= 0) linear(affine_row);
            break;
        case Shape::Kind::wide: {
            const Shape& s = shape(base);
            a.stride = s.stride * s.scale;
            if (s.stride > 0 && s.scale > 0 && s.stride < (1 << 24)) linear(wide_row);
            break;
        }
        case Shape::Kind::varying: break;
    }
    return a;
}

// The variable of shared memory that the address may not leave; null: there is none, or nobody asks.
const kernel::SharedVariable* Emitter::exact_variable(const Op& address, int bytes) {
    if (!program_.exact_variables) return nullptr;
    if (!shared_variables_) shared_variables_.emplace(function_, program_.shared_offsets);
    const kernel::SharedVariable* const found = shared_variables_->of(address);
    return found && found->size >= static_cast<std::uint64_t>(bytes) ? found : nullptr;
}

// Addresses of shared and local memory have 32 bits; of a wider register the hardware takes the low ones.
Emitter::Value* Emitter::window_offset(Value* address) {
    Value* low = builder_.CreateZExtOrTrunc(address, like(address, int_type(32)));
    return builder_.CreateZExt(low, like(low, int_type(64)));
}

Emitter::Value* Emitter::local_bytes() {
    return builder_.CreateZExt(context_field(offsetof(WarpContext, local_bytes), int_type(32), ""),
                               int_type(64));
}

// What the instruction's operand says for each lane: an address, or an offset in the window.
Emitter::Value* Emitter::lane_offsets(const Access& a) {
    const Op& address = *a.operand;
    const Op& base = address.kind == Op::Kind::address ? address.elements[0] : address;
    bool narrow = base.kind == Op::Kind::reg && ptx::type_bits(function_.registers[base.id].type) == 32;
    Value* lanes = read_bits(base, narrow ? 32 : 64, false);
    if (address.offset != 0)
        lanes = builder_.CreateAdd(lanes, constant(lanes, static_cast<std::uint64_t>(address.offset)));
    if (a.of_cluster) return cluster_address(lanes);
    return a.window_base ? window_offset(lanes) : builder_.CreateZExt(lanes, like(lanes, int_type(64)));
}

// The address of each lane, whatever the shape.
Emitter::Value* Emitter::lane_addresses(const Access& a) {
    if (a.lanes) return a.lanes;
    Value* lanes = lane_offsets(a);
    if (!a.window_base) return lanes;
    lanes = builder_.CreateAdd(lanes, splat(a.window_base));
    if (a.space == Space::local)
        lanes = builder_.CreateAdd(lanes, builder_.CreateMul(splat(local_bytes()), lane_index(64)));
    return lanes;
}

Emitter::Value* Emitter::site_range(const Access& a) {
    Value* sites = context_field(offsetof(WarpContext, sites), builder_.getPtrTy(), "sites");
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), sites, a.site * sizeof(SiteRange));
}

void Emitter::load_range(Access& a) {
    if (a.begin) return;
    Value* range = site_range(a);
    llvm::LoadInst* begin = builder_.CreateLoad(int_type(64), range, "begin");
    Value* next =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), range, offsetof(SiteRange, limit));
    llvm::LoadInst* limit = builder_.CreateLoad(int_type(64), next, "limit");
    program_.mark_state(begin);
    program_.mark_state(limit);
    a.begin = begin;
    a.limit = limit;
}

Emitter::Value* Emitter::in_range(const Access& a, Value* address) {
    Value* distance = builder_.CreateSub(address, a.begin);
    return builder_.CreateICmpULE(distance, a.limit);
}

// Whether the whole stretch from `first` to `span` bytes behind it is known to be good.
Emitter::Value* Emitter::line_fits(const Access& a, Value* first, std::int64_t span) {
    Value* room = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat,
                                                 builder_.CreateAdd(a.limit, constant(a.limit, 1)),
                                                 constant(a.limit, static_cast<std::uint64_t>(span)));
    return builder_.CreateICmpULT(builder_.CreateSub(first, a.begin), room);
}

Emitter::Value* Emitter::aligned(const Access& a, Value* address) {
    if (a.align <= 1) return builder_.getTrue();
    return builder_.CreateICmpEQ(builder_.CreateAnd(address, constant(address, a.align - 1)),
                                 constant(address, 0));
}

// Where the per-lane loops find the known-good range: the site's, or a copy for the block's shared memory.
Emitter::Value* Emitter::range_pointer(const Access& a) {
    if (a.space != Space::shared) return site_range(a);
    Value* copy = scratch(llvm::ArrayType::get(int_type(64), 2));
    builder_.CreateStore(a.begin, copy);
    builder_.CreateStore(a.limit, builder_.CreateConstInBoundsGEP1_64(int_type(64), copy, 1));
    return copy;
}

// Instructions share this memory: with a place for each, the frame of a long kernel would be as long.
Emitter::Value* Emitter::scratch(llvm::Type* type) {
    if (scratch_user_ != std::pair{current_, instruction_}) {
        scratch_user_ = {current_, instruction_};
        for (auto& [_, places] : scratch_) places.used = 0;
    }
    Scratch& places = scratch_[type];
    if (places.used == places.all.size()) {
        llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
        places.all.push_back(entry.CreateAlloca(type));
    }
    return places.all[places.used++];
}

Emitter::Value* Emitter::spill(Value* vector) {
    Value* place = scratch(vector->getType());
    builder_.CreateStore(vector, place);
    return place;
}

Emitter::Value* Emitter::linear_fits(Access& a) {
    load_range(a);
    Value* last =
        builder_.CreateAdd(a.first, llvm::ConstantInt::get(int_type(64), a.stride * (warp_lanes - 1)));
    Value* ok = builder_.CreateAnd(in_range(a, a.first), in_range(a, last));
    ok = builder_.CreateAnd(ok, aligned(a, a.first));
    return a.linear ? builder_.CreateAnd(ok, a.linear) : ok;
}

// Between the lanes' addresses and `data` in a stack slot.
void Emitter::move_lanes(Access& a, Value* mask, Value* data, bool load) {
    Value* site = builder_.getInt32(a.site);
    if (a.space == Space::local) {
        llvm::Function* move = load ? program_.gather_local(a.bytes) : program_.scatter_local(a.bytes);
        builder_.CreateCall(move, {ctx_, site, spill(lane_offsets(a)), mask, data});
        return;
    }
    load_range(a);
    builder_.CreateCall(load ? program_.gather(a.bytes) : program_.scatter(a.bytes),
                        {ctx_, range_pointer(a), site, spill(lane_addresses(a)), mask, data});
}

// Checks in the code are fastest, but each is a branch, and the code generator's time grows with the square
// of a function's blocks: 500 loads and FMAs took 8 s so. Kernels with many accesses call functions that
// check.
bool Emitter::checks_out_of_line() {
    constexpr std::size_t most_accesses = 128;
    if (!checks_out_of_line_) {
        std::size_t accesses = 0;
        for (const kernel::Block& block : function_.blocks)
            accesses += static_cast<std::size_t>(std::ranges::count_if(block.instructions, [](const Inst& i) {
                return i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::st ||
                       i.opcode == Opcode::cp;
            }));
        checks_out_of_line_ = accesses > most_accesses;
    }
    return *checks_out_of_line_;
}

Program::Contiguous Emitter::contiguous_form(const Access& a, bool load) {
    const Op& base = a.operand->kind == Op::Kind::address ? a.operand->elements[0] : *a.operand;
    Program::Contiguous form{.bytes = a.bytes, .load = load, .shared = a.space == Space::shared};
    if (shape(base).kind == Shape::Kind::wide) {
        form.wide = true;
        form.stride = static_cast<int>(shape(base).stride);
        form.sign_extend = shape(base).sign_extend;
    }
    form.narrow = ptx::type_bits(function_.registers[base.id].type) == 32 && !form.wide;
    return form;
}

// A contiguous access out of line; `slow`: the known range does not hold.
Emitter::Value* Emitter::call_contiguous(const Access& a, Value* mask, Value* data, bool load, bool slow) {
    const Program::Contiguous form = contiguous_form(a, load);
    // What the instruction adds is an argument of its own: sums would be values that many accesses share, and
    // that would live from the first to the last.
    llvm::Type* i64 = int_type(64);
    llvm::CallInst* call =
        builder_.CreateCall(slow ? program_.contiguous_slow(form) : program_.contiguous(form),
                            {ctx_, builder_.getInt32(a.site), mask, data, builder_.CreateZExt(a.base, i64),
                             a.offset ? a.offset : llvm::ConstantInt::get(i64, 0),
                             llvm::ConstantInt::get(i64, static_cast<std::uint64_t>(a.operand->offset))});
    call->setCallingConv(program_.cold_call());
    return call;
}

Emitter::Value* Emitter::load_lanes(Access& a, Value* mask, int elements, int element_bytes) {
    llvm::Type* type = llvm::FixedVectorType::get(int_type(8 * element_bytes), warp_lanes * elements);
    if (!a.rows.empty() && (a.stride == a.bytes || a.stride == 0) && !checks_out_of_line())
        return load_rows(a, mask, elements, element_bytes);
    Value* out = scratch(type);
    if (!a.is_linear || a.stride != a.bytes) {
        builder_.CreateStore(llvm::Constant::getNullValue(type), out);
        move_lanes(a, mask, out, true);
        return builder_.CreateLoad(type, out);
    }
    bool is_volatile =
        a.inst->has(Modifier::volatile_) || a.inst->has(Modifier::relaxed) || a.inst->has(Modifier::acquire);
    // Lanes that are not active are read as well: that is harmless inside the allocation, and their data is
    // not used.
    auto load_from = [&](Value* pointer) {
        return builder_.CreateAlignedLoad(type, pointer, llvm::Align(element_bytes), is_volatile);
    };
    if (checks_out_of_line() && !a.exact) return load_from(call_contiguous(a, mask, out, true, false));
    auto* slow = llvm::BasicBlock::Create(context_, "gather", target_);
    auto* done = llvm::BasicBlock::Create(context_, "loaded", target_);
    Value* pointer = builder_.CreateIntToPtr(a.first, builder_.getPtrTy());
    builder_.CreateCondBr(linear_fits(a), done, slow, program_.likely());
    auto* fast = builder_.GetInsertBlock();
    builder_.SetInsertPoint(slow);
    // Functions out of line know of shared memory as a whole.
    if (a.exact)
        move_lanes(a, mask, out, true);
    else
        call_contiguous(a, mask, out, true, true);
    slow = builder_.GetInsertBlock();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    llvm::PHINode* from = builder_.CreatePHI(builder_.getPtrTy(), 2);
    from->addIncoming(pointer, fast);
    from->addIncoming(out, slow);
    return load_from(from);
}

// Of all lanes, to a place that is good.
void Emitter::store_whole(const Access& a, Value* data, int element_bytes) {
    Value* pointer = builder_.CreateIntToPtr(a.first, builder_.getPtrTy());
    const auto store = [&](int alignment) {
        llvm::StoreInst* made =
            builder_.CreateAlignedStore(data, pointer, llvm::Align(static_cast<std::uint64_t>(alignment)));
        program_.mark_device(made);
        return made;
    };
    if (!is_streamed(a)) {
        store(element_bytes);
        return;
    }
    Value* threads = context_field(offsetof(WarpContext, launch_threads), int_type(64), "launch_threads");
    Value* many = builder_.CreateICmpUGE(
        threads, constant(threads, streamed_bytes / static_cast<std::uint64_t>(a.bytes)));
    Value* starts_line = builder_.CreateICmpEQ(builder_.CreateAnd(a.first, constant(a.first, host_line - 1)),
                                               constant(a.first, 0));
    auto* streamed = llvm::BasicBlock::Create(context_, "streamed", target_);
    auto* cached = llvm::BasicBlock::Create(context_, "cached", target_);
    auto* written = llvm::BasicBlock::Create(context_, "written", target_);
    builder_.CreateCondBr(builder_.CreateAnd(many, starts_line), streamed, cached);
    builder_.SetInsertPoint(streamed);
    store(host_line)->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(context_, {llvm::ConstantAsMetadata::get(builder_.getInt32(1))}));
    builder_.CreateBr(written);
    builder_.SetInsertPoint(cached);
    store(element_bytes);
    builder_.CreateBr(written);
    builder_.SetInsertPoint(written);
}

// Whether lines of the host's cache that the store fills are better written past it, where there are many.
bool Emitter::is_streamed(const Access& a) {
    if (!program_.target.streamed_stores || a.space != Space::global || warp_lanes * a.bytes < host_line)
        return false;
    if (!streamed_stores_) streamed_stores_ = kernel::streamed_stores(function_);
    return (*streamed_stores_)[current_][instruction_];
}

void Emitter::store_lanes(Access& a, Value* mask, Value* data, int elements, int element_bytes) {
    if (a.rows.size() > 1 && a.stride == a.bytes && !checks_out_of_line())
        return store_rows(a, mask, data, element_bytes);
    if (!a.is_linear || a.stride != a.bytes) return move_lanes(a, mask, spill(data), false);
    if (checks_out_of_line() && !a.exact) {
        call_contiguous(a, mask, spill(data), false, false);
        return;
    }
    auto* whole = llvm::BasicBlock::Create(context_, "whole", target_);
    auto* slow = llvm::BasicBlock::Create(context_, "scatter", target_);
    auto* done = llvm::BasicBlock::Create(context_, "stored", target_);
    Value* fits = linear_fits(a);
    Value* pointer = builder_.CreateIntToPtr(a.first, builder_.getPtrTy());
    Value* full = builder_.CreateICmpEQ(mask, constant(mask, 0xffffffff));
    auto* inside = llvm::BasicBlock::Create(context_, "contiguous", target_);
    auto* part = llvm::BasicBlock::Create(context_, "part", target_);
    builder_.CreateCondBr(fits, inside, slow, program_.likely());
    builder_.SetInsertPoint(inside);
    builder_.CreateCondBr(full, whole, part);
    builder_.SetInsertPoint(whole);
    store_whole(a, data, element_bytes);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(part);
    if (program_.target.masked_stores && elements == 1 && element_bytes >= 4) {
        builder_.CreateMaskedStore(data, pointer, llvm::Align(element_bytes), to_lanes(mask));
    } else {
        llvm::CallInst* call =
            builder_.CreateCall(program_.store_masked(a.bytes), {pointer, spill(data), mask});
        call->setCallingConv(program_.cold_call());
    }
    builder_.CreateBr(done);
    builder_.SetInsertPoint(slow);
    if (a.exact)
        move_lanes(a, mask, spill(data), false);
    else
        call_contiguous(a, mask, spill(data), false, true);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
}

// Runs `body` only if some lane takes part; a guard may have switched all off.
void Emitter::when_any(const Inst& inst, Value* mask, llvm::function_ref<void()> body) {
    if (!inst.guard) return body();
    when(builder_.CreateICmpNE(mask, constant(mask, 0)), body);
}

void Emitter::when(Value* condition, llvm::function_ref<void()> body) {
    auto* some = llvm::BasicBlock::Create(context_, "some", target_);
    auto* done = llvm::BasicBlock::Create(context_, "done", target_);
    builder_.CreateCondBr(condition, some, done);
    builder_.SetInsertPoint(some);
    body();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
}

void Emitter::check_uniform(Access& a, Value* mask) {
    load_range(a);
    if (checks_out_of_line()) {
        llvm::CallInst* call =
            builder_.CreateCall(program_.uniform_check(a.align),
                                {ctx_, a.begin, a.limit, builder_.getInt32(a.site), a.first, mask});
        call->setCallingConv(program_.cold_call());
        a.first = call;
        return;
    }
    Value* ok = builder_.CreateAnd(in_range(a, a.first), aligned(a, a.first));
    auto* bad = llvm::BasicBlock::Create(context_, "lookup", target_);
    auto* good = llvm::BasicBlock::Create(context_, "valid", target_);
    builder_.CreateCondBr(ok, good, bad, program_.likely());
    llvm::BasicBlock* known = builder_.GetInsertBlock();
    builder_.SetInsertPoint(bad);
    llvm::CallInst* call =
        builder_.CreateCall(program_.uniform_lookup(), {ctx_, builder_.getInt32(a.site), a.first, mask});
    call->setCallingConv(program_.cold_call());
    builder_.CreateBr(good);
    builder_.SetInsertPoint(good);
    llvm::PHINode* where = builder_.CreatePHI(int_type(64), 2);
    where->addIncoming(a.first, known);
    where->addIncoming(call, bad);
    a.first = where;
}

bool Emitter::emit_memory(const Inst& inst) {
    const auto& ops = inst.operands;
    switch (inst.opcode) {
        case Opcode::ld:
        case Opcode::ldu: {
            Type type = inst.type();
            int count = kernel::vector_count(inst), element = ptx::type_bytes(type);
            auto put = [&](int i, Value* value) {
                const Op& dst = ops[0].kind == Op::Kind::vector ? ops[0].elements[i] : ops[0];
                write(inst, dst, value, ptx::is_signed(type));
            };
            bool is_volatile =
                inst.has(Modifier::volatile_) || inst.has(Modifier::relaxed) || inst.has(Modifier::acquire);
            auto load_scalars = [&](Value* where, bool invariant) {
                for (int i = 0; i < count; ++i) {
                    Value* p = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), where, i * element);
                    llvm::LoadInst* value = builder_.CreateAlignedLoad(int_type(8 * element), p,
                                                                       llvm::Align(element), is_volatile);
                    if (invariant)
                        value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                                           llvm::MDNode::get(context_, {}));
                    else
                        program_.mark_device(value);
                    put(i, value);
                }
            };
            if (kernel::is_plain_parameter_load(function_, inst)) {
                const Op& address = ops[1];
                const Op& variable = address.elements[0];
                const std::int64_t at = static_cast<std::int64_t>(parameter_offset(variable.id)) +
                                        variable.offset + address.offset;
                load_scalars(builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), parameters(),
                                                                 static_cast<std::uint64_t>(at)),
                             true);
                return true;
            }
            Access a = access(inst);
            Value* mask = instruction_mask(inst);
            record_access(a, mask);
            if (a.uniform) {
                // The write is guarded by itself; only the access must not happen when all lanes are off.
                when_any(inst, mask, [&] {
                    check_uniform(a, mask);
                    load_scalars(builder_.CreateIntToPtr(a.first, builder_.getPtrTy()), false);
                });
                return true;
            }
            Value* data = load_lanes(a, mask, count, element);
            for (int i = 0; i < count; ++i) {
                std::vector<int> pick;
                for (int lane = 0; lane < warp_lanes; ++lane) pick.push_back(lane * count + i);
                put(i, count == 1 ? data : builder_.CreateShuffleVector(data, pick));
            }
            return true;
        }
        case Opcode::st: {
            Type type = inst.type();
            int count = kernel::vector_count(inst), element = ptx::type_bytes(type);
            Access a = access(inst);
            Value* mask = instruction_mask(inst);
            record_access(a, mask);
            if (inst.has(Modifier::async)) complete_bytes(inst);
            auto operand = [&](int i) -> const Op& {
                return ops[1].kind == Op::Kind::vector ? ops[1].elements[i] : ops[1];
            };
            if (a.uniform) {
                when_any(inst, mask, [&] {
                    check_uniform(a, mask);
                    Value* where = builder_.CreateIntToPtr(a.first, builder_.getPtrTy());
                    // All lanes write one address; the hardware leaves open whose value stays. Here it is the
                    // last lane's.
                    Value* last = builder_.CreateSub(
                        builder_.getInt32(31),
                        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask, builder_.getFalse()));
                    for (int i = 0; i < count; ++i) {
                        bool scalar = is_scalar_operand(operand(i));
                        Value* value = read_bits(operand(i), 8 * element, scalar);
                        if (!scalar) value = builder_.CreateExtractElement(value, last);
                        Value* p =
                            builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), where, i * element);
                        program_.mark_device(builder_.CreateAlignedStore(value, p, llvm::Align(element)));
                    }
                });
                return true;
            }
            Value* data;
            if (count == 1) {
                data = read_bits(operand(0), 8 * element, false);
            } else {
                std::vector<Value*> parts;
                for (int i = 0; i < count; ++i) parts.push_back(read_bits(operand(i), 8 * element, false));
                data = interleave(parts);
            }
            store_lanes(a, mask, data, count, element);
            return true;
        }
        case Opcode::cp: return emit_copy(inst);
        case Opcode::tensormap: emit_tensor_map(inst); return true;
        case Opcode::createpolicy: emit_cache_policy(inst); return true;
        // Caches are not simulated here: none of these has an effect that a program can see, and what lies in
        // memory after a discard is left open.
        case Opcode::prefetch:
        case Opcode::prefetchu:
        case Opcode::applypriority:
        case Opcode::discard: return true;
        default: return false;
    }
}

// cp.async: the copy is done at once, so that groups and waits for them have nothing left to do.
bool Emitter::emit_copy(const Inst& inst) {
    if (inst.has(Modifier::mbarrier)) return emit_memory_barrier(inst);
    if (kernel::is_bulk_copy(inst)) {
        emit_bulk_copy(inst);
        return true;
    }
    if (inst.has(Modifier::prefetch)) return true;  // no effect that a program can see
    if (inst.operands.size() < 3) {
        record_fence(instruction_mask(inst));
        return true;
    }
    const bool has_policy = inst.has(Modifier::L2_cache_hint);
    const bool has_size = inst.operands.size() > (has_policy ? 4 : 3) &&
                          constant_of(inst.operands[3]) != static_cast<std::uint32_t>(inst.operands[2].bits);
    constexpr int word = 4;
    const int bytes = static_cast<int>(inst.operands[2].bits);
    if (bytes != 4 && bytes != 8 && bytes != 16) {
        fail(inst, "cp.async copies 4, 8 or 16 bytes");
        return true;
    }
    Value* mask = instruction_mask(inst);
    Access from = access(inst, 0);
    Value* data = nullptr;
    if (has_size) {
        data = load_parts(from, mask, inst.operands[3]);
    } else {
        record_access(from, mask);
        data = load_lanes(from, mask, bytes / word, word);
    }
    Access to = access(inst, 1);
    record_access(to, mask);
    store_lanes(to, mask, data, bytes / word, word);
    return true;
}

// The first `size` bytes, or none where a predicate says so, and zeros behind them. What is not copied is not
// touched either: programs give addresses out of bounds for it.
Emitter::Value* Emitter::load_parts(Access& a, Value* mask, const Op& size) {
    constexpr int word = 4;
    const int words = a.bytes / word;
    const bool ignores = size.kind == Op::Kind::reg && function_.registers[size.id].type == Type::pred;
    Value* copied = nullptr;
    if (ignores) {
        Value* none = splat(predicate(size, false));
        copied = builder_.CreateSelect(none, splat(builder_.getInt32(0)),
                                       splat(builder_.getInt32(static_cast<std::uint32_t>(a.bytes))));
    } else {
        copied = read_bits(size, 32, false);
    }
    auto lanes_with = [&](Value* which) { return builder_.CreateAnd(mask, to_bits(which)); };
    Value* all =
        lanes_with(builder_.CreateICmpUGE(copied, constant(copied, static_cast<std::uint64_t>(a.bytes))));
    Value* some = lanes_with(builder_.CreateICmpNE(copied, constant(copied, 0)));
    record_access(a, some, true);
    llvm::Type* type = llvm::FixedVectorType::get(int_type(8 * word), warp_lanes * words);
    Value* out = scratch(type);
    builder_.CreateStore(llvm::Constant::getNullValue(type), out);
    // Lane by lane: those that are off may point anywhere.
    move_lanes(a, all, out, true);
    if (ignores) return builder_.CreateLoad(type, out);

    // Byte by byte, at a place of its own, since the one above means all bytes of a lane.
    Value* part = builder_.CreateAnd(some, builder_.CreateNot(all));
    const std::uint32_t site = add_site(*a.inst, 1, kernel::SiteKind::load);
    llvm::Type* bytes_type = llvm::FixedVectorType::get(int_type(8), warp_lanes);
    when(builder_.CreateICmpNE(part, constant(part, 0)), [&] {
        Value* addresses = lane_addresses(a);
        Value* one = scratch(bytes_type);
        Value* data = builder_.CreateLoad(type, out);
        for (int i = 0; i + 1 < a.bytes; ++i) {
            Value* more = builder_.CreateICmpUGT(copied, constant(copied, static_cast<std::uint64_t>(i)));
            builder_.CreateStore(llvm::Constant::getNullValue(bytes_type), one);
            Access byte = a;
            byte.site = site;
            Value* where = builder_.CreateAdd(addresses, constant(addresses, static_cast<std::uint64_t>(i)));
            builder_.CreateCall(program_.gather(1),
                                {ctx_, site_range(byte), builder_.getInt32(site), spill(where),
                                 builder_.CreateAnd(part, to_bits(more)), one});
            Value* value = builder_.CreateZExt(builder_.CreateLoad(bytes_type, one),
                                               llvm::FixedVectorType::get(int_type(32), warp_lanes));
            value = builder_.CreateShl(value, constant(value, static_cast<std::uint64_t>(i % word * 8)));
            // Into this word of each lane.
            std::vector<int> spread(static_cast<std::size_t>(warp_lanes * words), warp_lanes);
            for (int lane = 0; lane < warp_lanes; ++lane)
                spread[static_cast<std::size_t>(lane * words + i / word)] = lane;
            data = builder_.CreateOr(
                data,
                builder_.CreateShuffleVector(value, llvm::Constant::getNullValue(value->getType()), spread));
        }
        builder_.CreateStore(data, out);
    });
    return builder_.CreateLoad(type, out);
}

// Vectors a0…, b0… to a0 b0 … a1 b1 …
Emitter::Value* Emitter::interleave(const std::vector<Value*>& parts) {
    int count = static_cast<int>(parts.size());
    Value* joined = parts[0];
    int width = warp_lanes;
    for (int i = 1; i < count; ++i) {
        std::vector<int> widen, concat;
        for (int k = 0; k < width; ++k) widen.push_back(k < warp_lanes ? k : -1);
        Value* next = builder_.CreateShuffleVector(parts[i], widen);
        for (int k = 0; k < width; ++k) concat.push_back(k);
        for (int k = 0; k < warp_lanes; ++k) concat.push_back(width + k);
        joined = builder_.CreateShuffleVector(joined, next, concat);
        width += warp_lanes;
    }
    std::vector<int> pick;
    for (int lane = 0; lane < warp_lanes; ++lane)
        for (int i = 0; i < count; ++i) pick.push_back(i * warp_lanes + lane);
    return builder_.CreateShuffleVector(joined, pick);
}

}  // namespace lockstep::exec::jit
