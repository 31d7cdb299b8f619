// Loads and stores of warps that have several rows (kernel::row_lanes): each row's lanes lie side by side, or
// all have one address. The rows are checked by their ends and move as vectors.
#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

Emitter::Value* Emitter::rows_fit(Access& a) {
    load_range(a);
    const std::int64_t span = a.stride * (warp_lanes / warp_rows() - 1);
    Value* ok = a.linear;
    Value* bits = nullptr;
    for (const Access::Row& row : a.rows) {
        Value* fits = line_fits(a, row.first, span);
        ok = ok ? builder_.CreateAnd(ok, fits) : fits;
        bits = bits ? builder_.CreateOr(bits, row.first) : row.first;
    }
    return builder_.CreateAnd(ok, aligned(a, bits));
}

// Out of line, lane by lane, between the lanes' addresses and `data`.
void Emitter::move_rows_slowly(Access& a, Value* mask, Value* data, bool load) {
    if (a.exact) return move_lanes(a, mask, data, load);
    Program::Contiguous form = contiguous_form(a, load);
    form.part = true;
    form.same = a.stride == 0;
    llvm::Function* move = program_.contiguous_slow(form);
    llvm::Type* i64 = int_type(64);
    const int width = warp_lanes / warp_rows();
    const std::int64_t step = form.same ? 0 : form.wide ? form.stride : a.bytes;
    for (int row = 0; row < warp_rows(); ++row) {
        const Access::Row& here = a.rows[a.rows.size() > 1 ? static_cast<std::size_t>(row) : 0];
        // The function counts lanes from the warp's first.
        Value* base = builder_.CreateSub(here.base,
                                         constant(here.base, static_cast<std::uint64_t>(step * row * width)));
        const std::uint32_t lanes = ((std::uint64_t{1} << width) - 1) << (row * width);
        llvm::CallInst* call = builder_.CreateCall(
            move, {ctx_, builder_.getInt32(a.site), builder_.CreateAnd(mask, lanes), data,
                   builder_.CreateZExt(base, i64), here.offset ? here.offset : llvm::ConstantInt::get(i64, 0),
                   llvm::ConstantInt::get(i64, static_cast<std::uint64_t>(a.operand->offset))});
        call->setCallingConv(program_.cold_call());
    }
}

Emitter::Value* Emitter::load_rows(Access& a, Value* mask, int elements, int element_bytes) {
    const int rows = warp_rows(), width = warp_lanes / rows;
    llvm::Type* element = int_type(8 * element_bytes);
    auto* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(warp_lanes * elements));
    const int loaded = (a.stride == 0 ? 1 : width) * elements;  // of a row, in memory
    const bool is_volatile = a.inst->has(ptx::Modifier::volatile_) || a.inst->has(ptx::Modifier::relaxed) ||
                             a.inst->has(ptx::Modifier::acquire);
    auto* fast = llvm::BasicBlock::Create(context_, "rows", target_);
    auto* slow = llvm::BasicBlock::Create(context_, "gather", target_);
    auto* done = llvm::BasicBlock::Create(context_, "loaded", target_);
    builder_.CreateCondBr(rows_fit(a), fast, slow, program_.likely());

    builder_.SetInsertPoint(fast);
    // Lanes that are not active are read as well, as everywhere. Where all rows have the same, it is read
    // once.
    Value* all = llvm::PoisonValue::get(type);
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
        Value* from =
            builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, static_cast<unsigned>(loaded)),
                                       builder_.CreateIntToPtr(a.rows[i].first, builder_.getPtrTy()),
                                       llvm::Align(static_cast<std::uint64_t>(element_bytes)), is_volatile);
        std::vector<int> spread(static_cast<std::size_t>(warp_lanes * elements)), join(spread.size());
        for (int at = 0; at < warp_lanes * elements; ++at) {
            const bool here = a.rows.size() == 1 || at / (width * elements) == static_cast<int>(i);
            const auto place = static_cast<std::size_t>(at);
            spread[place] = here ? at % loaded : -1;
            join[place] = here ? at + warp_lanes * elements : at;
        }
        Value* lanes = builder_.CreateShuffleVector(from, spread);
        all = i == 0 ? lanes : builder_.CreateShuffleVector(all, lanes, join);
    }
    builder_.CreateBr(done);

    builder_.SetInsertPoint(slow);
    Value* out = scratch(type);
    builder_.CreateStore(llvm::Constant::getNullValue(type), out);
    move_rows_slowly(a, mask, out, true);
    Value* gathered = builder_.CreateLoad(type, out);
    slow = builder_.GetInsertBlock();
    builder_.CreateBr(done);

    builder_.SetInsertPoint(done);
    llvm::PHINode* value = builder_.CreatePHI(type, 2);
    value->addIncoming(all, fast);
    value->addIncoming(gathered, slow);
    return value;
}

void Emitter::store_rows(Access& a, Value* mask, Value* data, int element_bytes) {
    const int rows = warp_rows();
    const int elements =
        static_cast<int>(llvm::cast<llvm::FixedVectorType>(data->getType())->getNumElements()) / rows;
    auto* fast = llvm::BasicBlock::Create(context_, "rows", target_);
    auto* slow = llvm::BasicBlock::Create(context_, "scatter", target_);
    auto* done = llvm::BasicBlock::Create(context_, "stored", target_);
    Value* whole = builder_.CreateICmpEQ(mask, constant(mask, 0xffffffff));
    builder_.CreateCondBr(builder_.CreateAnd(rows_fit(a), whole), fast, slow, program_.likely());

    builder_.SetInsertPoint(fast);
    for (int row = 0; row < rows; ++row) {
        std::vector<int> part;
        for (int i = 0; i < elements; ++i) part.push_back(row * elements + i);
        program_.mark_device(builder_.CreateAlignedStore(
            builder_.CreateShuffleVector(data, part),
            builder_.CreateIntToPtr(a.rows[static_cast<std::size_t>(row)].first, builder_.getPtrTy()),
            llvm::Align(static_cast<std::uint64_t>(element_bytes))));
    }
    builder_.CreateBr(done);

    builder_.SetInsertPoint(slow);
    move_rows_slowly(a, mask, spill(data), false);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
}

}  // namespace lockstep::exec::jit
