#include "exec/jit/lane-rows.h"

namespace lockstep::exec::jit {

namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

}  // namespace

void move_rows(Program& program, IRBuilder<>& builder, Function* function, const Moved& moved) {
    constexpr int rows = 2, width = warp_lanes / rows;
    Type* i64 = builder.getInt64Ty();
    Type* type = builder.getIntNTy(8 * moved.bytes);
    const auto align = llvm::Align(moved.bytes);
    const auto number = [&](std::int64_t n) { return llvm::ConstantInt::getSigned(i64, n); };
    const auto address = [&](int lane) {
        return builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, moved.addresses, number(lane)));
    };
    Value* first[rows] = {address(0), address(width)};
    // A look at a few lanes spares most others the rest.
    Value* step = builder.CreateSub(address(1), first[0]);
    Value* reach = builder.CreateMul(step, number(width - 1));
    Value* looks_so = builder.CreateICmpEQ(step, number(moved.bytes));
    // Stores to one element are left to the lanes, of which the last one wins.
    if (moved.load) looks_so = builder.CreateOr(looks_so, builder.CreateICmpEQ(step, number(0)));
    Value* last[rows] = {address(width - 1), address(warp_lanes - 1)};
    for (int row = 0; row < rows; ++row)
        looks_so = builder.CreateAnd(looks_so,
                                     builder.CreateICmpEQ(last[row], builder.CreateAdd(first[row], reach)));
    Value* begin = builder.CreateLoad(i64, moved.range);
    Value* limit = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, moved.range, 1));
    for (Value* end : {first[0], first[1], last[0], last[1]})
        looks_so = builder.CreateAnd(looks_so, builder.CreateICmpULE(builder.CreateSub(end, begin), limit));
    Value* odd = builder.CreateAnd(builder.CreateOr(first[0], first[1]), number(moved.bytes - 1));
    looks_so = builder.CreateAnd(looks_so, builder.CreateICmpEQ(odd, number(0)));

    BasicBlock* look = BasicBlock::Create(program.context, "rows", function);
    BasicBlock* vectors = BasicBlock::Create(program.context, "vectors", function);
    BasicBlock* others = BasicBlock::Create(program.context, "others", function);
    builder.CreateCondBr(looks_so, look, others);
    builder.SetInsertPoint(look);
    llvm::SmallVector<llvm::Constant*, warp_lanes> column;
    llvm::SmallVector<int, warp_lanes> halves;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        column.push_back(number(lane % width));
        halves.push_back(lane / width);
    }
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* two = llvm::PoisonValue::get(llvm::FixedVectorType::get(i64, rows));
    for (int row = 0; row < rows; ++row) two = builder.CreateInsertElement(two, first[row], number(row));
    Value* expected = builder.CreateAdd(
        builder.CreateShuffleVector(two, halves),
        builder.CreateMul(llvm::ConstantVector::get(column), builder.CreateVectorSplat(warp_lanes, step)));
    Value* different = builder.CreateOrReduce(builder.CreateXor(moved.all, expected));
    builder.CreateCondBr(builder.CreateICmpEQ(different, llvm::ConstantInt::get(lanes->getElementType(), 0)),
                         vectors, others, program.likely());

    builder.SetInsertPoint(vectors);
    auto* row_type = llvm::FixedVectorType::get(type, width);
    const auto there = [&](int row) { return builder.CreateIntToPtr(first[row], builder.getPtrTy()); };
    const auto here = [&](int row) {
        return builder.CreateInBoundsGEP(type, moved.data, number(row * width));
    };
    if (!moved.load) {
        for (int row = 0; row < rows; ++row)
            builder.CreateAlignedStore(builder.CreateAlignedLoad(row_type, here(row), align), there(row),
                                       align);
        builder.CreateRetVoid();
    } else {
        BasicBlock* packed = BasicBlock::Create(program.context, "packed", function);
        BasicBlock* same = BasicBlock::Create(program.context, "same", function);
        builder.CreateCondBr(builder.CreateICmpEQ(step, number(0)), same, packed);
        builder.SetInsertPoint(packed);
        for (int row = 0; row < rows; ++row)
            builder.CreateAlignedStore(builder.CreateAlignedLoad(row_type, there(row), align), here(row),
                                       align);
        builder.CreateRetVoid();
        builder.SetInsertPoint(same);
        for (int row = 0; row < rows; ++row)
            builder.CreateAlignedStore(
                builder.CreateVectorSplat(width, builder.CreateAlignedLoad(type, there(row), align)),
                here(row), align);
        builder.CreateRetVoid();
    }
    builder.SetInsertPoint(others);
}

}  // namespace lockstep::exec::jit
