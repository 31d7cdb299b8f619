// atom and red: each active lane in turn, with the host's own atomic operations, since other blocks run on
// other threads.
#include <fmt/format.h>

#include "exec/jit/emitter.h"
#include "exec/scalar/float-ops.h"

namespace lockstep::exec::jit {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;
using ptx::Modifier;
using ptx::Opcode;

namespace {

// What has no host instruction: a compare-and-swap loop around `next`.
llvm::Value* swap_loop(llvm::IRBuilder<>& builder, llvm::Function* function, llvm::Value* address,
                       llvm::Type* type, llvm::function_ref<llvm::Value*(llvm::Value* old)> next) {
    llvm::LLVMContext& context = builder.getContext();
    auto* entry = builder.GetInsertBlock();
    auto* loop = llvm::BasicBlock::Create(context, "swap", function);
    auto* done = llvm::BasicBlock::Create(context, "swapped", function);
    llvm::LoadInst* first = builder.CreateLoad(type, address);
    first->setAtomic(AtomicOrdering::Monotonic);
    first->setAlignment(llvm::Align(type->getIntegerBitWidth() / 8));
    builder.CreateBr(loop);
    builder.SetInsertPoint(loop);
    llvm::PHINode* old = builder.CreatePHI(type, 2);
    old->addIncoming(first, entry);
    llvm::Value* value = next(old);
    llvm::Value* pair =
        builder.CreateAtomicCmpXchg(address, old, value, llvm::MaybeAlign(type->getIntegerBitWidth() / 8),
                                    AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
    old->addIncoming(builder.CreateExtractValue(pair, 0), builder.GetInsertBlock());
    builder.CreateCondBr(builder.CreateExtractValue(pair, 1), done, loop);
    builder.SetInsertPoint(done);
    return old;
}

}  // namespace

bool Emitter::emit_atomic(const Inst& inst) {
    if (inst.opcode != Opcode::atom && inst.opcode != Opcode::red) return false;
    bool returns = inst.opcode == Opcode::atom;
    const auto& ops = inst.operands;
    Type type = inst.type();
    int bytes = ptx::type_bytes(type), bits = 8 * bytes;
    if (inst.has(Modifier::v2) || inst.has(Modifier::v4) || inst.has(Modifier::v8) || bytes > 8) {
        fail(inst, "vector and 128-bit atomics are not implemented");
        return true;
    }
    const Op& operand = ops[returns ? 2 : 1];
    std::size_t third = inst.has(Modifier::async) ? ops.size() : returns ? 3 : 2;
    bool is_signed = ptx::is_signed(type);
    bool pair = type == Type::f16x2 || type == Type::bf16x2;
    bool half = pair || type == Type::f16 || type == Type::bf16;
    bool number = type == Type::f32 || type == Type::f64;

    // Results that depend on the order of blocks keep to one thread, so that a program gives the same bits
    // twice.
    bool order = returns || number || half || inst.has(Modifier::exch) || inst.has(Modifier::cas);
    ptx::Space space = kernel::space_of(inst);
    if (space == ptx::Space::local) {
        fail(inst, "atomics in local memory do not exist");
        return true;
    }
    if (order && space != ptx::Space::shared) program_.order_matters = true;

    auto rmw = [&](AtomicRMWInst::BinOp op) {
        return [op, bits](llvm::IRBuilder<>& b, llvm::Function*, Value* where, Value* value,
                          Value*) -> Value* {
            return b.CreateAtomicRMW(op, where, value, llvm::MaybeAlign(bits / 8), AtomicOrdering::Monotonic);
        };
    };
    const char* operation = inst.has(Modifier::add)    ? "add"
                            : inst.has(Modifier::and_) ? "and"
                            : inst.has(Modifier::or_)  ? "or"
                            : inst.has(Modifier::xor_) ? "xor"
                            : inst.has(Modifier::exch) ? "exch"
                            : inst.has(Modifier::min)  ? "min"
                            : inst.has(Modifier::max)  ? "max"
                            : inst.has(Modifier::inc)  ? "inc"
                            : inst.has(Modifier::dec)  ? "dec"
                            : inst.has(Modifier::cas)  ? "cas"
                                                       : "?";
    std::string name = fmt::format("{}.{}", operation, ptx::type_name(type));
    std::string_view op = operation;
    llvm::Function* loop = nullptr;
    auto make = [&](Program::AtomicStep s) { loop = program_.atomic_loop(name, bytes, s); };
    if (half && op == "add") {
        const char* suffix = type == Type::f16 || type == Type::f16x2 ? "f16" : "bf16";
        const ScalarFunction* function = find_float_op(fmt::format("add.rn.{}", suffix));
        make([&](llvm::IRBuilder<>& b, llvm::Function* f, Value* where, Value* value, Value*) -> Value* {
            llvm::Type* i32 = b.getInt32Ty();
            auto callee = program_.external(std::string(function->name), function->address,
                                            llvm::FunctionType::get(i32, {i32, i32}, false));
            return swap_loop(b, f, where, b.getIntNTy(bits), [&](Value* old) -> Value* {
                auto one = [&](int shift) {
                    auto part = [&](Value* v) {
                        return b.CreateAnd(b.CreateLShr(b.CreateZExtOrTrunc(v, i32), b.getInt32(shift)),
                                           b.getInt32(0xffff));
                    };
                    return b.CreateShl(
                        b.CreateAnd(b.CreateCall(callee, {part(old), part(value)}), b.getInt32(0xffff)),
                        b.getInt32(shift));
                };
                Value* sum = one(0);
                if (pair) sum = b.CreateOr(sum, one(16));
                return b.CreateZExtOrTrunc(sum, b.getIntNTy(bits));
            });
        });
    } else if (number && op == "add") {
        make([&](llvm::IRBuilder<>& b, llvm::Function* f, Value* where, Value* value, Value*) -> Value* {
            llvm::Type* real = type == Type::f64 ? b.getDoubleTy() : b.getFloatTy();
            llvm::Type* integer = b.getIntNTy(bits);
            return swap_loop(b, f, where, integer, [&](Value* old) -> Value* {
                Value* sum = b.CreateFAdd(b.CreateBitCast(old, real), b.CreateBitCast(value, real));
                return b.CreateBitCast(sum, integer);
            });
        });
    } else if (op == "cas") {
        make([&](llvm::IRBuilder<>& b, llvm::Function*, Value* where, Value* value,
                 Value* replacement) -> Value* {
            Value* result = b.CreateAtomicCmpXchg(where, value, replacement, llvm::MaybeAlign(bytes),
                                                  AtomicOrdering::AcquireRelease, AtomicOrdering::Acquire);
            return b.CreateExtractValue(result, 0);
        });
    } else if (op == "inc" || op == "dec") {
        // LLVM has these too, but cannot select them on every target.
        make([&](llvm::IRBuilder<>& b, llvm::Function* f, Value* where, Value* bound, Value*) -> Value* {
            llvm::Type* integer = b.getIntNTy(bits);
            Value* zero = llvm::ConstantInt::get(integer, 0);
            Value* one = llvm::ConstantInt::get(integer, 1);
            return swap_loop(b, f, where, integer, [&](Value* old) -> Value* {
                if (op == "inc")
                    return b.CreateSelect(b.CreateICmpUGE(old, bound), zero, b.CreateAdd(old, one));
                Value* wraps = b.CreateOr(b.CreateICmpEQ(old, zero), b.CreateICmpUGT(old, bound));
                return b.CreateSelect(wraps, bound, b.CreateSub(old, one));
            });
        });
    } else if (half || (number && op != "exch") || op == "?") {
        fail(inst, fmt::format("atomic {} is not implemented", name));
        return true;
    } else {
        AtomicRMWInst::BinOp bin = op == "add"    ? AtomicRMWInst::Add
                                   : op == "and"  ? AtomicRMWInst::And
                                   : op == "or"   ? AtomicRMWInst::Or
                                   : op == "xor"  ? AtomicRMWInst::Xor
                                   : op == "exch" ? AtomicRMWInst::Xchg
                                   : op == "min"  ? (is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
                                                  : (is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax);
        make(rmw(bin));
    }

    Access a = access(inst);
    Value* mask = instruction_mask(inst);
    record_access(a, mask);
    load_range(a);
    Value* b = spill(read_bits(operand, bits, false));
    Value* c = ops.size() > third ? spill(read_bits(ops[third], bits, false)) : b;
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(bits), warp_lanes);
    Value* out = scratch(lanes);
    builder_.CreateStore(llvm::Constant::getNullValue(lanes), out);
    builder_.CreateCall(
        loop, {ctx_, range_pointer(a), builder_.getInt32(a.site), spill(lane_addresses(a)), mask, b, c, out});
    if (returns) write(inst, ops[0], builder_.CreateLoad(lanes, out), is_signed);
    if (inst.has(Modifier::async)) complete_bytes(inst);
    return true;
}

}  // namespace lockstep::exec::jit
