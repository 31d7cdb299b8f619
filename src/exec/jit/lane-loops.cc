// Small LLVM functions that do something for each active lane in turn; made once a kernel, called from many
// places.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include "exec/jit/program.h"

namespace lockstep::exec::jit {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::FunctionType;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

// A loop over the set bits of a mask: for (; mask; mask &= mask - 1) body(lane).
void for_each_lane(IRBuilder<>& builder, Function* function, Value* mask,
                   llvm::function_ref<void(Value* lane)> body) {
    llvm::LLVMContext& context = builder.getContext();
    BasicBlock* entry = builder.GetInsertBlock();
    BasicBlock* head = BasicBlock::Create(context, "head", function);
    BasicBlock* loop = BasicBlock::Create(context, "lane", function);
    BasicBlock* done = BasicBlock::Create(context, "done", function);
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    llvm::PHINode* left = builder.CreatePHI(builder.getInt32Ty(), 2);
    left->addIncoming(mask, entry);
    builder.CreateCondBr(builder.CreateICmpEQ(left, builder.getInt32(0)), done, loop);
    builder.SetInsertPoint(loop);
    Value* lane = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder.getTrue());
    body(builder.CreateZExt(lane, builder.getInt64Ty()));
    Value* rest = builder.CreateAnd(left, builder.CreateSub(left, builder.getInt32(1)));
    left->addIncoming(rest, builder.GetInsertBlock());
    builder.CreateBr(head);
    builder.SetInsertPoint(done);
}

Function* new_function(Program& program, const std::string& name, FunctionType* type) {
    Function* function = Function::Create(type, Function::InternalLinkage, name, *program.module);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    BasicBlock::Create(program.context, "entry", function);
    return function;
}

}  // namespace

// Emits the check of one lane's address: known range, or ask the memory system (which does not return on a
// fault).
static void check_lane(Program& program, IRBuilder<>& builder, Function* function, Value* ctx, Value* range,
                       Value* site, Value* address, Value* lane, int bytes) {
    Type* i64 = builder.getInt64Ty();
    Value* begin = builder.CreateLoad(i64, range);
    Value* limit = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, range, 1));
    Value* ok = builder.CreateICmpULE(builder.CreateSub(address, begin), limit);
    if (bytes > 1) {
        Value* low = builder.CreateAnd(address, llvm::ConstantInt::get(i64, bytes - 1));
        ok = builder.CreateAnd(ok, builder.CreateICmpEQ(low, llvm::ConstantInt::get(i64, 0)));
    }
    BasicBlock* bad = BasicBlock::Create(program.context, "lookup", function);
    BasicBlock* good = BasicBlock::Create(program.context, "valid", function);
    builder.CreateCondBr(ok, good, bad, program.likely());
    builder.SetInsertPoint(bad);
    builder.CreateCall(program.access_fault(),
                       {ctx, site, address, builder.CreateTrunc(lane, builder.getInt32Ty())});
    builder.CreateBr(good);
    builder.SetInsertPoint(good);
}

static Function* mover(Program& program, const std::string& name, int bytes, bool load) {
    if (Function* known = program.module->getFunction(name)) return known;
    IRBuilder<> builder(program.context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    // (ctx, range, site, addresses, mask, data)
    Function* function = new_function(
        program, name, FunctionType::get(builder.getVoidTy(), {ptr, ptr, i32, ptr, i32, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Value* ctx = function->getArg(0);
    Value* range = function->getArg(1);
    Value* site = function->getArg(2);
    Value* addresses = function->getArg(3);
    Value* data = function->getArg(5);
    Type* type = builder.getIntNTy(8 * bytes);
    auto align = llvm::Align(bytes);
    auto move = [&](Value* address, Value* lane) {
        Value* there = builder.CreateIntToPtr(address, ptr);
        Value* here = builder.CreateInBoundsGEP(type, data, lane);
        if (load)
            builder.CreateAlignedStore(builder.CreateAlignedLoad(type, there, align), here, align);
        else
            builder.CreateAlignedStore(builder.CreateAlignedLoad(type, here, align), there, align);
    };
    // All lanes, all inside the known range: checked together, then moved without a branch.
    Value* mask = function->getArg(4);
    BasicBlock* whole = BasicBlock::Create(program.context, "whole", function);
    BasicBlock* fast = BasicBlock::Create(program.context, "fast", function);
    BasicBlock* slow = BasicBlock::Create(program.context, "slow", function);
    builder.CreateCondBr(builder.CreateICmpEQ(mask, builder.getInt32(0xffffffff)), whole, slow);
    builder.SetInsertPoint(whole);
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* all = builder.CreateAlignedLoad(lanes, addresses, llvm::Align(8));
    Value* begin = builder.CreateLoad(i64, range);
    Value* limit = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, range, 1));
    Value* distance = builder.CreateSub(all, builder.CreateVectorSplat(warp_lanes, begin));
    Value* outside = builder.CreateICmpUGT(distance, builder.CreateVectorSplat(warp_lanes, limit));
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), llvm::ConstantInt::get(i64, bytes - 1));
    Value* any_outside = builder.CreateOrReduce(builder.CreateSExt(outside, lanes));
    Value* bad = builder.CreateOr(any_outside, odd);
    builder.CreateCondBr(builder.CreateICmpEQ(bad, llvm::ConstantInt::get(i64, 0)), fast, slow,
                         program.likely());
    builder.SetInsertPoint(fast);
    for (int lane = 0; lane < warp_lanes; ++lane) {
        Value* number = llvm::ConstantInt::get(i64, lane);
        move(builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, addresses, number)), number);
    }
    builder.CreateRetVoid();

    builder.SetInsertPoint(slow);
    for_each_lane(builder, function, mask, [&](Value* lane) {
        Value* address = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, addresses, lane));
        check_lane(program, builder, function, ctx, range, site, address, lane, bytes);
        move(address, lane);
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::gather(int bytes) {
    return mover(*this, fmt::format("gather{}", bytes), bytes, true);
}
llvm::Function* Program::scatter(int bytes) {
    return mover(*this, fmt::format("scatter{}", bytes), bytes, false);
}

llvm::Function* Program::store_masked(int bytes) {
    std::string name = fmt::format("store_masked{}", bytes);
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Function* function = new_function(
        *this, name, FunctionType::get(builder.getVoidTy(), {ptr, ptr, builder.getInt32Ty()}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Type* type = builder.getIntNTy(8 * bytes);
    for_each_lane(builder, function, function->getArg(2), [&](Value* lane) {
        Value* value = builder.CreateAlignedLoad(
            type, builder.CreateInBoundsGEP(type, function->getArg(1), lane), llvm::Align(1));
        builder.CreateAlignedStore(value, builder.CreateInBoundsGEP(type, function->getArg(0), lane),
                                   llvm::Align(1));
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::lanes_of(const std::string& name, void* address, llvm::Type* result,
                                  const std::vector<llvm::Type*>& args) {
    std::string loop_name = "lanes." + name;
    if (Function* known = module->getFunction(loop_name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    std::vector<Type*> params{builder.getInt32Ty()};
    params.resize(args.size() + 2, ptr);
    Function* function =
        new_function(*this, loop_name, FunctionType::get(builder.getVoidTy(), params, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    auto callee = external(name, address, FunctionType::get(result, args, false));
    for_each_lane(builder, function, function->getArg(0), [&](Value* lane) {
        std::vector<Value*> values;
        for (std::size_t i = 0; i < args.size(); ++i)
            values.push_back(builder.CreateLoad(
                args[i], builder.CreateInBoundsGEP(args[i], function->getArg(i + 1), lane)));
        Value* value = builder.CreateCall(callee, values);
        if (!result->isVoidTy())
            builder.CreateStore(value,
                                builder.CreateInBoundsGEP(result, function->getArg(args.size() + 1), lane));
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::atomic_loop(const std::string& name, int bytes, AtomicStep step) {
    std::string loop_name = "atomic." + name;
    if (Function* known = module->getFunction(loop_name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    Type* type = builder.getIntNTy(8 * bytes);
    // (ctx, range, site, addresses, mask, operand b, operand c, result)
    Function* function =
        new_function(*this, loop_name,
                     FunctionType::get(builder.getVoidTy(), {ptr, ptr, i32, ptr, i32, ptr, ptr, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    for_each_lane(builder, function, function->getArg(4), [&](Value* lane) {
        Value* address = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, function->getArg(3), lane));
        check_lane(*this, builder, function, function->getArg(0), function->getArg(1), function->getArg(2),
                   address, lane, bytes);
        auto at = [&](unsigned arg) { return builder.CreateInBoundsGEP(type, function->getArg(arg), lane); };
        Value* b = builder.CreateLoad(type, at(5));
        Value* c = builder.CreateLoad(type, at(6));
        Value* old = step(builder, function, builder.CreateIntToPtr(address, ptr), b, c);
        builder.CreateStore(old, at(7));
    });
    builder.CreateRetVoid();
    return function;
}

}  // namespace lockstep::exec::jit
