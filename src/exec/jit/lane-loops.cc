// Small LLVM functions that do something for each active lane in turn; made once a kernel, called from many
// places.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "exec/jit/lane-rows.h"
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

Value* lane_bit(IRBuilder<>& builder, Value* lane) {
    return builder.CreateShl(builder.getInt32(1), builder.CreateTrunc(lane, builder.getInt32Ty()));
}

Function* new_function(Program& program, const std::string& name, FunctionType* type) {
    Function* function = Function::Create(type, Function::InternalLinkage, name, *program.module);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    BasicBlock::Create(program.context, "entry", function);
    return function;
}

}  // namespace

// Whether generic addresses lie in their lanes' own local memory. That has no range which all lanes share, so
// it is asked for where the known range does not hold.
static Value* in_own_local(IRBuilder<>& builder, Value* ctx, Value* address, Value* lane, int bytes) {
    Type* i64 = builder.getInt64Ty();
    auto field = [&](std::size_t offset, Type* type) {
        return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, offset));
    };
    auto like_address = [&](Value* value) {
        return address->getType()->isVectorTy() ? builder.CreateVectorSplat(warp_lanes, value) : value;
    };
    Value* local = builder.CreatePtrToInt(field(offsetof(WarpContext, local), builder.getPtrTy()), i64);
    Value* size = builder.CreateZExt(field(offsetof(WarpContext, local_bytes), builder.getInt32Ty()), i64);
    Value* room = llvm::ConstantInt::get(i64, static_cast<std::uint64_t>(bytes));
    Value* begin = builder.CreateAdd(like_address(local), builder.CreateMul(like_address(size), lane));
    Value* inside =
        builder.CreateICmpULE(builder.CreateSub(address, begin), like_address(builder.CreateSub(size, room)));
    return builder.CreateAnd(inside, like_address(builder.CreateICmpUGE(size, room)));
}

// Where an instruction's accesses are known to be good.
struct KnownRange {
    Value* begin;
    Value* limit;
};

static KnownRange load_range(IRBuilder<>& builder, Value* range) {
    Type* i64 = builder.getInt64Ty();
    return {builder.CreateLoad(i64, range),
            builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, range, 1))};
}

// Emits the check of one lane's address: known range, or ask the memory system (which does not return on a
// fault, or says where else to access). Where to.
static Value* check_lane(Program& program, IRBuilder<>& builder, Function* function, Value* ctx,
                         const KnownRange& known, Value* site, Value* address, Value* lane, int bytes) {
    Type* i64 = builder.getInt64Ty();
    auto [begin, limit] = known;
    Value* ok = builder.CreateICmpULE(builder.CreateSub(address, begin), limit);
    Value* aligned = builder.getTrue();
    if (bytes > 1) {
        Value* low = builder.CreateAnd(address, llvm::ConstantInt::get(i64, bytes - 1));
        aligned = builder.CreateICmpEQ(low, llvm::ConstantInt::get(i64, 0));
    }
    BasicBlock* unknown = BasicBlock::Create(program.context, "unknown", function);
    BasicBlock* bad = BasicBlock::Create(program.context, "lookup", function);
    BasicBlock* good = BasicBlock::Create(program.context, "valid", function);
    BasicBlock* entry = builder.GetInsertBlock();
    builder.CreateCondBr(builder.CreateAnd(ok, aligned), good, unknown, program.likely());
    builder.SetInsertPoint(unknown);
    Value* own = in_own_local(builder, ctx, address, lane, bytes);
    builder.CreateCondBr(builder.CreateAnd(own, aligned), good, bad);
    builder.SetInsertPoint(bad);
    Value* found = builder.CreateCall(program.callback(Callback::access_fault),
                                      {ctx, site, address, lane_bit(builder, lane)});
    builder.CreateBr(good);
    builder.SetInsertPoint(good);
    llvm::PHINode* where = builder.CreatePHI(i64, 3);
    where->addIncoming(address, entry);
    where->addIncoming(address, unknown);
    where->addIncoming(found, bad);
    return where;
}

// The same for all lanes at once. A function of its own, since it is rare and takes many registers.
static Function* all_in_own_local(Program& program, int bytes) {
    std::string name = fmt::format("own_local.{}", bytes);
    if (Function* known = program.module->getFunction(name)) return known;
    IRBuilder<> builder(program.context);
    Type* ptr = builder.getPtrTy();
    Type* i64 = builder.getInt64Ty();
    Function* function =
        new_function(program, name, FunctionType::get(builder.getInt1Ty(), {ptr, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* all = builder.CreateAlignedLoad(lanes, function->getArg(1), llvm::Align(8));
    std::vector<llvm::Constant*> numbers;
    for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
        numbers.push_back(llvm::ConstantInt::get(i64, lane));
    Value* own = in_own_local(builder, function->getArg(0), all, llvm::ConstantVector::get(numbers), bytes);
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), llvm::ConstantInt::get(i64, bytes - 1));
    builder.CreateRet(builder.CreateAnd(builder.CreateAndReduce(own),
                                        builder.CreateICmpEQ(odd, llvm::ConstantInt::get(i64, 0))));
    return function;
}

// The loads or stores of local memory. Lanes have a window each, so that an offset is checked, and an address
// made of it only then.
static Function* local_mover(Program& program, const std::string& name, int bytes, bool load) {
    if (Function* known = program.module->getFunction(name)) return known;
    IRBuilder<> builder(program.context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    Function* function =
        new_function(program, name, FunctionType::get(builder.getVoidTy(), {ptr, i32, ptr, i32, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Value* ctx = function->getArg(0);
    Value* offsets = function->getArg(2);
    Value* mask = function->getArg(3);
    Value* data = function->getArg(4);
    auto field = [&](std::size_t offset, Type* type) {
        return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, offset));
    };
    auto number = [&](std::uint64_t n) { return llvm::ConstantInt::get(i64, n); };
    const auto access = static_cast<std::uint64_t>(bytes);
    Value* local = builder.CreatePtrToInt(field(offsetof(WarpContext, local), ptr), i64);
    Value* size = builder.CreateZExt(field(offsetof(WarpContext, local_bytes), i32), i64);
    // With less than one access nothing is inside: then the limit is 0 and the first valid offset 1.
    Value* any = builder.CreateICmpUGE(size, number(access));
    Value* first = builder.CreateSelect(any, number(0), number(1));
    Value* limit = builder.CreateSelect(any, builder.CreateSub(size, number(access)), number(0));
    Type* type = builder.getIntNTy(8 * static_cast<unsigned>(bytes));
    auto align = llvm::Align(access);
    auto address_of = [&](Value* offset, Value* lane) {
        return builder.CreateAdd(offset, builder.CreateAdd(local, builder.CreateMul(size, lane)));
    };
    auto move = [&](Value* address, Value* lane) {
        Value* there = builder.CreateIntToPtr(address, ptr);
        Value* here = builder.CreateInBoundsGEP(type, data, lane);
        builder.CreateAlignedStore(builder.CreateAlignedLoad(type, load ? there : here, align),
                                   load ? here : there, align);
    };
    BasicBlock* whole = BasicBlock::Create(program.context, "whole", function);
    BasicBlock* fast = BasicBlock::Create(program.context, "fast", function);
    BasicBlock* slow = BasicBlock::Create(program.context, "slow", function);
    builder.CreateCondBr(builder.CreateICmpEQ(mask, builder.getInt32(0xffffffff)), whole, slow);
    builder.SetInsertPoint(whole);
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* all = builder.CreateAlignedLoad(lanes, offsets, llvm::Align(8));
    Value* distance = builder.CreateSub(all, builder.CreateVectorSplat(warp_lanes, first));
    Value* outside = builder.CreateICmpUGT(distance, builder.CreateVectorSplat(warp_lanes, limit));
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), number(access - 1));
    Value* bad = builder.CreateOr(builder.CreateOrReduce(builder.CreateSExt(outside, lanes)), odd);
    builder.CreateCondBr(builder.CreateICmpEQ(bad, number(0)), fast, slow, program.likely());
    builder.SetInsertPoint(fast);
    for (std::uint64_t lane = 0; lane < warp_lanes; ++lane) {
        Value* offset = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, offsets, number(lane)));
        move(address_of(offset, number(lane)), number(lane));
    }
    builder.CreateRetVoid();

    builder.SetInsertPoint(slow);
    for_each_lane(builder, function, mask, [&](Value* lane) {
        Value* offset = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, offsets, lane));
        Value* address = address_of(offset, lane);
        Value* inside = builder.CreateICmpULE(builder.CreateSub(offset, first), limit);
        Value* low = builder.CreateAnd(offset, number(access - 1));
        BasicBlock* wrong = BasicBlock::Create(program.context, "wrong", function);
        BasicBlock* good = BasicBlock::Create(program.context, "valid", function);
        builder.CreateCondBr(builder.CreateAnd(inside, builder.CreateICmpEQ(low, number(0))), good, wrong,
                             program.likely());
        BasicBlock* known = builder.GetInsertBlock();
        builder.SetInsertPoint(wrong);
        Value* found = builder.CreateCall(program.callback(Callback::access_fault),
                                          {ctx, function->getArg(1), address, lane_bit(builder, lane)});
        builder.CreateBr(good);
        builder.SetInsertPoint(good);
        llvm::PHINode* where = builder.CreatePHI(i64, 2);
        where->addIncoming(address, known);
        where->addIncoming(found, wrong);
        move(where, lane);
    });
    builder.CreateRetVoid();
    return function;
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
    move_rows(program, builder, function, {addresses, all, range, data, bytes, load});
    Value* begin = builder.CreateLoad(i64, range);
    Value* limit = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, range, 1));
    Value* distance = builder.CreateSub(all, builder.CreateVectorSplat(warp_lanes, begin));
    Value* outside = builder.CreateICmpUGT(distance, builder.CreateVectorSplat(warp_lanes, limit));
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), llvm::ConstantInt::get(i64, bytes - 1));
    Value* any_outside = builder.CreateOrReduce(builder.CreateSExt(outside, lanes));
    Value* bad = builder.CreateOr(any_outside, odd);
    BasicBlock* unknown = BasicBlock::Create(program.context, "unknown", function);
    builder.CreateCondBr(builder.CreateICmpEQ(bad, llvm::ConstantInt::get(i64, 0)), fast, unknown,
                         program.likely());
    builder.SetInsertPoint(unknown);
    Value* all_own = builder.CreateCall(all_in_own_local(program, bytes), {ctx, addresses});
    builder.CreateCondBr(all_own, fast, slow);
    builder.SetInsertPoint(fast);
    for (int lane = 0; lane < warp_lanes; ++lane) {
        Value* number = llvm::ConstantInt::get(i64, lane);
        move(builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, addresses, number)), number);
    }
    builder.CreateRetVoid();

    builder.SetInsertPoint(slow);
    for_each_lane(builder, function, mask, [&](Value* lane) {
        Value* address = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, addresses, lane));
        move(check_lane(program, builder, function, ctx, load_range(builder, range), site, address, lane,
                        bytes),
             lane);
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::gather_local(int bytes) {
    return local_mover(*this, fmt::format("gather_local.{}", bytes), bytes, true);
}
llvm::Function* Program::scatter_local(int bytes) {
    return local_mover(*this, fmt::format("scatter_local.{}", bytes), bytes, false);
}

llvm::Function* Program::gather(int bytes) {
    return mover(*this, fmt::format("gather{}", bytes), bytes, true);
}
llvm::Function* Program::scatter(int bytes) {
    return mover(*this, fmt::format("scatter{}", bytes), bytes, false);
}

namespace {

// The addresses of a contiguous access's lanes, in a function with the parameters of Program::contiguous.
class ContiguousLanes {
  public:
    ContiguousLanes(IRBuilder<>& builder, Function* function, const Program::Contiguous& form)
        : builder_(builder), function_(function), form_(form) {
        if (!form.shared) return;
        Value* ctx = function->getArg(0);
        auto field = [&](std::size_t at, Type* type) {
            return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, at));
        };
        window_ = builder.CreatePtrToInt(field(offsetof(WarpContext, shared), builder.getPtrTy()),
                                         builder.getInt64Ty());
        Value* size = builder.CreateZExt(field(offsetof(WarpContext, shared_bytes), builder.getInt32Ty()),
                                         builder.getInt64Ty());
        Value* any = builder.CreateICmpUGE(size, number(form.bytes));
        shared_ = {builder.CreateSelect(any, window_, number(1)),
                   builder.CreateSelect(any, builder.CreateSub(size, number(form.bytes)), number(0))};
    }

    KnownRange range() const {
        if (form_.shared) return shared_;
        Value* sites = builder_.CreateLoad(
            builder_.getPtrTy(),
            builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_->getArg(0),
                                                offsetof(WarpContext, sites)));
        Value* offset = builder_.CreateMul(builder_.CreateZExt(function_->getArg(1), builder_.getInt64Ty()),
                                           number(static_cast<int>(sizeof(SiteRange))));
        return load_range(builder_, builder_.CreateInBoundsGEP(builder_.getInt8Ty(), sites, offset));
    }

    Value* address_of(Value* lane) const {
        Type* i32 = builder_.getInt32Ty();
        Type* i64 = builder_.getInt64Ty();
        Value* base = function_->getArg(4);
        Value* more = function_->getArg(6);
        Value* address;
        if (form_.wide) {
            Value* index = builder_.CreateAdd(base, builder_.CreateMul(lane, number(form_.stride)));
            index = builder_.CreateTrunc(index, i32);
            index = form_.sign_extend ? builder_.CreateSExt(index, i64) : builder_.CreateZExt(index, i64);
            address = builder_.CreateAdd(builder_.CreateAdd(function_->getArg(5), more),
                                         builder_.CreateMul(index, number(form_.bytes / form_.stride)));
        } else {
            address = builder_.CreateAdd(builder_.CreateAdd(base, more),
                                         builder_.CreateMul(lane, number(form_.same ? 0 : form_.bytes)));
        }
        if (form_.narrow || form_.shared)
            address = builder_.CreateZExt(builder_.CreateTrunc(address, i32), i64);
        return window_ ? builder_.CreateAdd(address, window_) : address;
    }

    // Whether all lanes lie in the known range, one after the other.
    Value* fit(Value* first) const {
        auto [begin, limit] = range();
        auto inside = [&](Value* address) {
            return builder_.CreateICmpULE(builder_.CreateSub(address, begin), limit);
        };
        Value* last = builder_.CreateAdd(first, number(form_.bytes * (warp_lanes - 1)));
        Value* low = builder_.CreateAnd(first, number(form_.bytes - 1));
        Value* ok = builder_.CreateAnd(inside(first), inside(last));
        ok = builder_.CreateAnd(ok, builder_.CreateICmpEQ(low, number(0)));
        if (!form_.wide) return ok;
        Value* base = builder_.CreateTrunc(function_->getArg(4), builder_.getInt32Ty());
        Value* top = builder_.getInt32((form_.sign_extend ? 0x7fffffffu : 0xffffffffu) -
                                       static_cast<std::uint32_t>(form_.stride * (warp_lanes - 1)));
        return builder_.CreateAnd(
            ok, form_.sign_extend ? builder_.CreateICmpSLE(base, top) : builder_.CreateICmpULE(base, top));
    }

    void move(Value* address, Value* lane) const {
        Type* type = builder_.getIntNTy(8 * static_cast<unsigned>(form_.bytes));
        auto align = llvm::Align(static_cast<std::uint64_t>(form_.bytes));
        Value* there = builder_.CreateIntToPtr(address, builder_.getPtrTy());
        Value* here = builder_.CreateInBoundsGEP(type, function_->getArg(3), lane);
        builder_.CreateAlignedStore(builder_.CreateAlignedLoad(type, form_.load ? there : here, align),
                                    form_.load ? here : there, align);
    }

    Value* number(int n) const {
        return llvm::ConstantInt::get(builder_.getInt64Ty(), static_cast<std::uint64_t>(n));
    }

    Type* all_lanes() const {
        return llvm::FixedVectorType::get(builder_.getIntNTy(8 * static_cast<unsigned>(form_.bytes)),
                                          warp_lanes);
    }

  private:
    IRBuilder<>& builder_;
    Function* function_;
    const Program::Contiguous& form_;
    Value* window_ = nullptr;
    KnownRange shared_{};
};

// It must be short: LLVM 19 stores the registers that such a function on arm64 uses itself behind those that
// it keeps for its caller, and where they are many, further from the stack pointer than its instructions can
// say. x19 and x20 were lost so.
Function* cold_function(Program& program, const std::string& name, Type* result,
                        const std::vector<Type*>& parameters) {
    Function* function = new_function(program, name, FunctionType::get(result, parameters, false));
    function->setCallingConv(program.cold_call());
    // Said here, since the optimiser would look for a proof at each call, through the whole block.
    for (llvm::Argument& argument : function->args())
        if (argument.getType()->isPointerTy()) argument.addAttr(llvm::Attribute::NonNull);
    return function;
}

llvm::CallInst* call_cold(IRBuilder<>& builder, Function* function, const std::vector<Value*>& arguments) {
    llvm::CallInst* call = builder.CreateCall(function, arguments);
    call->setCallingConv(function->getCallingConv());
    return call;
}

// Its own, to hand them on.
std::vector<Value*> arguments_of(Function& function) {
    std::vector<Value*> arguments;
    for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
    return arguments;
}

std::string name_of(const Program::Contiguous& form) {
    std::string name = fmt::format("{}{}", form.load ? "load" : "store", form.bytes);
    if (form.wide) name += fmt::format(".wide{}{}", form.sign_extend ? "s" : "u", form.stride);
    if (form.narrow) name += ".narrow";
    if (form.shared) name += ".shared";
    if (form.same) name += ".same";
    if (form.part) name += ".part";
    return name;
}

std::vector<Type*> contiguous_parameters(IRBuilder<>& builder) {
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    return {ptr, i32, i32, ptr, i64, i64, i64};
}

}  // namespace

llvm::Function* Program::contiguous_slow(const Contiguous& form) {
    const std::string name = name_of(form) + ".slow";
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    // The work is in a function like any other (see cold_function).
    Function* work =
        new_function(*this, name + ".lanes",
                     FunctionType::get(builder.getVoidTy(), contiguous_parameters(builder), false));
    work->addFnAttr(llvm::Attribute::Cold);
    builder.SetInsertPoint(&work->getEntryBlock());
    ContiguousLanes lanes(builder, work, form);
    if (form.load && !form.part)  // lanes that are not active read zeros
        builder.CreateAlignedStore(llvm::Constant::getNullValue(lanes.all_lanes()), work->getArg(3),
                                   llvm::Align(static_cast<std::uint64_t>(form.bytes)));
    for_each_lane(builder, work, work->getArg(2), [&](Value* lane) {
        lanes.move(check_lane(*this, builder, work, work->getArg(0), lanes.range(), work->getArg(1),
                              lanes.address_of(lane), lane, form.bytes),
                   lane);
    });
    builder.CreateRetVoid();

    Function* function = cold_function(*this, name, builder.getVoidTy(), contiguous_parameters(builder));
    function->addFnAttr(llvm::Attribute::Cold);
    builder.SetInsertPoint(&function->getEntryBlock());
    builder.CreateCall(work, arguments_of(*function));
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::contiguous(const Contiguous& form) {
    const std::string name = name_of(form);
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Function* function =
        cold_function(*this, name, form.load ? ptr : builder.getVoidTy(), contiguous_parameters(builder));
    builder.SetInsertPoint(&function->getEntryBlock());
    ContiguousLanes lanes(builder, function, form);
    Value* first = lanes.address_of(lanes.number(0));
    Value* there = builder.CreateIntToPtr(first, ptr);
    Value* data = function->getArg(3);
    auto align = llvm::Align(static_cast<std::uint64_t>(form.bytes));
    BasicBlock* fits = BasicBlock::Create(context, "fits", function);
    BasicBlock* slow = BasicBlock::Create(context, "slow", function);
    builder.CreateCondBr(lanes.fit(first), fits, slow, likely());
    builder.SetInsertPoint(slow);
    call_cold(builder, contiguous_slow(form), arguments_of(*function));
    if (form.load)
        builder.CreateRet(data);
    else
        builder.CreateRetVoid();
    builder.SetInsertPoint(fits);
    if (form.load) {
        builder.CreateRet(there);
        return function;
    }
    Value* mask = function->getArg(2);
    BasicBlock* whole = BasicBlock::Create(context, "whole", function);
    BasicBlock* part = BasicBlock::Create(context, "part", function);
    builder.CreateCondBr(builder.CreateICmpEQ(mask, builder.getInt32(0xffffffff)), whole, part);
    builder.SetInsertPoint(whole);
    builder.CreateAlignedStore(builder.CreateAlignedLoad(lanes.all_lanes(), data, align), there, align);
    builder.CreateRetVoid();
    builder.SetInsertPoint(part);
    call_cold(builder, store_masked(form.bytes), {there, data, mask});
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::store_masked(int bytes) {
    const std::string name = fmt::format("store_masked{}", bytes);
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Function* function = cold_function(*this, name, builder.getVoidTy(), {ptr, ptr, builder.getInt32Ty()});
    builder.SetInsertPoint(&function->getEntryBlock());
    Type* type = builder.getIntNTy(8 * static_cast<unsigned>(bytes));
    for_each_lane(builder, function, function->getArg(2), [&](Value* lane) {
        Value* value = builder.CreateAlignedLoad(
            type, builder.CreateInBoundsGEP(type, function->getArg(1), lane), llvm::Align(1));
        builder.CreateAlignedStore(value, builder.CreateInBoundsGEP(type, function->getArg(0), lane),
                                   llvm::Align(1));
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::uniform_lookup() {
    const char* name = "uniform_lookup";
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    Function* function = cold_function(*this, name, i64, {builder.getPtrTy(), i32, i64, i32});
    function->addFnAttr(llvm::Attribute::Cold);
    builder.SetInsertPoint(&function->getEntryBlock());
    builder.CreateRet(builder.CreateCall(
        callback(Callback::access_fault),
        {function->getArg(0), function->getArg(1), function->getArg(2), function->getArg(3)}));
    return function;
}

llvm::Function* Program::uniform_check(int bytes) {
    const std::string name = fmt::format("uniform_check{}", bytes);
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    // (ctx, begin, limit, site, address, mask)
    Function* function = cold_function(*this, name, i64, {builder.getPtrTy(), i64, i64, i32, i64, i32});
    builder.SetInsertPoint(&function->getEntryBlock());
    Value* address = function->getArg(4);
    Value* inside =
        builder.CreateICmpULE(builder.CreateSub(address, function->getArg(1)), function->getArg(2));
    Value* low =
        builder.CreateAnd(address, llvm::ConstantInt::get(i64, static_cast<std::uint64_t>(bytes - 1)));
    BasicBlock* good = BasicBlock::Create(context, "valid", function);
    BasicBlock* bad = BasicBlock::Create(context, "lookup", function);
    builder.CreateCondBr(builder.CreateAnd(inside, builder.CreateICmpEQ(low, llvm::ConstantInt::get(i64, 0))),
                         good, bad, likely());
    builder.SetInsertPoint(bad);
    builder.CreateRet(call_cold(builder, uniform_lookup(),
                                {function->getArg(0), function->getArg(3), address, function->getArg(5)}));
    builder.SetInsertPoint(good);
    builder.CreateRet(address);
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

namespace {

using llvm::AtomicOrdering;

// What orders other accesses is a compare and swap, of which locks are made.
AtomicOrdering success_order(const Program::Atomic& form) {
    return form.swaps ? AtomicOrdering::AcquireRelease : AtomicOrdering::Monotonic;
}

AtomicOrdering failure_order(const Program::Atomic& form) {
    return form.swaps ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic;
}

// The lanes of an atomic operation, in a function with the parameters of Program::atomic_lanes.
class AtomicLanes {
  public:
    AtomicLanes(Program& program, IRBuilder<>& builder, Function* function, const Program::Atomic& form,
                Program::AtomicStep step)
        : program_(program),
          builder_(builder),
          function_(function),
          form_(form),
          step_(step),
          type_(builder.getIntNTy(8 * static_cast<unsigned>(form.bytes))),
          align_(static_cast<std::uint64_t>(form.bytes)) {}

    void emit() {
        Value* mask = function_->getArg(4);
        BasicBlock* any = block("any");
        BasicBlock* together = block("together");
        BasicBlock* apart = block("apart");
        BasicBlock* done = block("done");
        builder_.CreateCondBr(builder_.CreateICmpEQ(mask, builder_.getInt32(0)), done, any);
        builder_.SetInsertPoint(any);
        Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, builder_.getTrue());
        Value* word = address_of(builder_.CreateZExt(first, builder_.getInt64Ty()));
        same_word(word, together, apart);
        builder_.SetInsertPoint(together);
        emit_together(word, done);
        builder_.SetInsertPoint(apart);
        for_each_lane(builder_, function_, mask, [&](Value* lane) { emit_lane(lane); });
        builder_.CreateBr(done);
        builder_.SetInsertPoint(done);
        builder_.CreateRetVoid();
    }

  private:
    BasicBlock* block(const char* name) { return BasicBlock::Create(program_.context, name, function_); }

    Value* address_of(Value* lane) {
        Type* i64 = builder_.getInt64Ty();
        return builder_.CreateLoad(i64, builder_.CreateInBoundsGEP(i64, function_->getArg(3), lane));
    }

    // Operand b or c, or where the old value goes.
    Value* place(unsigned argument, Value* lane) {
        return builder_.CreateInBoundsGEP(type_, function_->getArg(argument), lane);
    }
    Value* operand(unsigned argument, Value* lane) {
        return builder_.CreateLoad(type_, place(argument, lane));
    }
    Value* next(Value* old, Value* lane) { return step_(builder_, old, operand(5, lane), operand(6, lane)); }
    void give(Value* old, Value* lane) {
        if (form_.returns) builder_.CreateStore(old, place(7, lane));
    }

    Value* load(Value* pointer) {
        llvm::LoadInst* value = builder_.CreateAlignedLoad(type_, pointer, align_);
        if (!form_.own) value->setAtomic(AtomicOrdering::Monotonic);
        return value;
    }
    // {what was there, whether it was `old` and is `value` now}
    Value* swap(Value* pointer, Value* old, Value* value) {
        return builder_.CreateAtomicCmpXchg(pointer, old, value, align_, success_order(form_),
                                            failure_order(form_));
    }

    // To `together` where all lanes have one address that is known to be good. The last lane tells of most
    // where they have not.
    void same_word(Value* word, BasicBlock* together, BasicBlock* apart) {
        Value* mask = function_->getArg(4);
        auto [begin, limit] = load_range(builder_, function_->getArg(1));
        Value* last = builder_.CreateSub(
            builder_.getInt32(warp_lanes - 1),
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask, builder_.getTrue()));
        Value* same =
            builder_.CreateICmpEQ(address_of(builder_.CreateZExt(last, builder_.getInt64Ty())), word);
        Value* inside = builder_.CreateICmpULE(builder_.CreateSub(word, begin), limit);
        Value* low = builder_.CreateAnd(word, builder_.getInt64(static_cast<std::uint64_t>(form_.bytes) - 1));
        Value* good = builder_.CreateAnd(inside, builder_.CreateICmpEQ(low, builder_.getInt64(0)));
        BasicBlock* perhaps = block("perhaps");
        builder_.CreateCondBr(builder_.CreateAnd(same, good), perhaps, apart);
        builder_.SetInsertPoint(perhaps);
        auto* lanes = llvm::FixedVectorType::get(builder_.getInt64Ty(), warp_lanes);
        Value* all = builder_.CreateAlignedLoad(lanes, function_->getArg(3), llvm::Align(8));
        Value* differs = builder_.CreateXor(all, builder_.CreateVectorSplat(warp_lanes, word));
        std::vector<llvm::Constant*> bits;
        for (int lane = 0; lane < warp_lanes; ++lane) bits.push_back(builder_.getInt32(1u << lane));
        Value* active =
            builder_.CreateAnd(builder_.CreateVectorSplat(warp_lanes, mask), llvm::ConstantVector::get(bits));
        Value* off = builder_.CreateICmpEQ(active, llvm::Constant::getNullValue(active->getType()));
        differs = builder_.CreateSelect(off, llvm::Constant::getNullValue(lanes), differs);
        builder_.CreateCondBr(builder_.CreateICmpEQ(builder_.CreateOrReduce(differs), builder_.getInt64(0)),
                              together, apart);
    }

    // One lane after the other without memory in between, as if nobody else came in between.
    void emit_together(Value* word, BasicBlock* done) {
        Value* pointer = builder_.CreateIntToPtr(word, builder_.getPtrTy());
        Value* first = load(pointer);
        BasicBlock* entry = builder_.GetInsertBlock();
        BasicBlock* begin = block("begin");
        BasicBlock* loop = block("turn");
        BasicBlock* end = block("end");
        builder_.CreateBr(begin);
        builder_.SetInsertPoint(begin);
        llvm::PHINode* before = builder_.CreatePHI(type_, 2);
        before->addIncoming(first, entry);
        builder_.CreateBr(loop);
        builder_.SetInsertPoint(loop);
        llvm::PHINode* left = builder_.CreatePHI(builder_.getInt32Ty(), 2);
        llvm::PHINode* old = builder_.CreatePHI(type_, 2);
        left->addIncoming(function_->getArg(4), begin);
        old->addIncoming(before, begin);
        Value* lane = builder_.CreateZExt(
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getTrue()),
            builder_.getInt64Ty());
        give(old, lane);
        Value* value = next(old, lane);
        Value* rest = builder_.CreateAnd(left, builder_.CreateSub(left, builder_.getInt32(1)));
        left->addIncoming(rest, builder_.GetInsertBlock());
        old->addIncoming(value, builder_.GetInsertBlock());
        builder_.CreateCondBr(builder_.CreateICmpEQ(rest, builder_.getInt32(0)), end, loop);
        builder_.SetInsertPoint(end);
        if (form_.own) {
            builder_.CreateAlignedStore(value, pointer, align_);
            builder_.CreateBr(done);
            return;
        }
        Value* swapped = swap(pointer, before, value);
        before->addIncoming(builder_.CreateExtractValue(swapped, 0), end);
        builder_.CreateCondBr(builder_.CreateExtractValue(swapped, 1), done, begin, program_.likely());
    }

    void emit_lane(Value* lane) {
        Value* address = check_lane(program_, builder_, function_, function_->getArg(0),
                                    load_range(builder_, function_->getArg(1)), function_->getArg(2),
                                    address_of(lane), lane, form_.bytes);
        Value* pointer = builder_.CreateIntToPtr(address, builder_.getPtrTy());
        if (form_.own) {
            Value* old = load(pointer);
            builder_.CreateAlignedStore(next(old, lane), pointer, align_);
            give(old, lane);
        } else if (form_.swaps) {
            Value* swapped = swap(pointer, operand(5, lane), operand(6, lane));
            give(builder_.CreateExtractValue(swapped, 0), lane);
        } else if (form_.host) {
            give(builder_.CreateAtomicRMW(*form_.host, pointer, operand(5, lane), align_,
                                          AtomicOrdering::Monotonic),
                 lane);
        } else {
            give(swap_until_done(pointer, lane), lane);
        }
    }

    // What has no host instruction.
    Value* swap_until_done(Value* pointer, Value* lane) {
        Value* first = load(pointer);
        BasicBlock* entry = builder_.GetInsertBlock();
        BasicBlock* loop = block("swap");
        BasicBlock* swapped = block("swapped");
        builder_.CreateBr(loop);
        builder_.SetInsertPoint(loop);
        llvm::PHINode* old = builder_.CreatePHI(type_, 2);
        old->addIncoming(first, entry);
        Value* pair = swap(pointer, old, next(old, lane));
        old->addIncoming(builder_.CreateExtractValue(pair, 0), builder_.GetInsertBlock());
        builder_.CreateCondBr(builder_.CreateExtractValue(pair, 1), swapped, loop);
        builder_.SetInsertPoint(swapped);
        return old;
    }

    Program& program_;
    IRBuilder<>& builder_;
    Function* function_;
    const Program::Atomic& form_;
    Program::AtomicStep step_;
    Type* type_;
    llvm::Align align_;
};

}  // namespace

llvm::Function* Program::atomic_lanes(const Atomic& form, AtomicStep step) {
    const std::string name =
        fmt::format("atomic.{}{}{}", form.name, form.returns ? ".returns" : "", form.own ? ".own" : "");
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Function* function = new_function(
        *this, name, FunctionType::get(builder.getVoidTy(), {ptr, ptr, i32, ptr, i32, ptr, ptr, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    AtomicLanes(*this, builder, function, form, step).emit();
    return function;
}

llvm::Function* Program::object_lanes(const std::string& name, llvm::FunctionCallee callee) {
    const std::string loop_name = "objects." + name;
    if (Function* known = module->getFunction(loop_name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    Function* function =
        new_function(*this, loop_name,
                     FunctionType::get(builder.getVoidTy(), {ptr, ptr, i32, ptr, i32, ptr, ptr, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    for_each_lane(builder, function, function->getArg(4), [&](Value* lane) {
        auto at = [&](unsigned arg) { return builder.CreateInBoundsGEP(i64, function->getArg(arg), lane); };
        Value* address = check_lane(*this, builder, function, function->getArg(0),
                                    load_range(builder, function->getArg(1)), function->getArg(2),
                                    builder.CreateLoad(i64, at(3)), lane, 8);
        Value* old =
            builder.CreateCall(callee, {builder.CreateIntToPtr(address, ptr), builder.CreateLoad(i64, at(5)),
                                        builder.CreateLoad(i64, at(6))});
        builder.CreateStore(old, at(7));
    });
    builder.CreateRetVoid();
    return function;
}

}  // namespace lockstep::exec::jit
