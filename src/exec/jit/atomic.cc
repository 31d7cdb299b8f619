// atom and red: each active lane in turn, or all of them together where they have one address; with the
// host's own atomic operations where other blocks run on other threads, which shared memory does not see.
#include <fmt/format.h>

#include "exec/jit/emitter.h"
#include "exec/scalar/float-ops.h"
#include "kernel/graph.h"

namespace lockstep::exec::jit {

using llvm::AtomicRMWInst;
using ptx::Modifier;
using ptx::Opcode;

namespace {

// The host's operation for one of PTX's on integers, where it has one; LLVM cannot select inc and dec on
// every target.
std::optional<AtomicRMWInst::BinOp> host_operation(const ptx::Instruction& inst) {
    const bool is_signed = ptx::is_signed(inst.type());
    if (inst.has(Modifier::add)) return AtomicRMWInst::Add;
    if (inst.has(Modifier::and_)) return AtomicRMWInst::And;
    if (inst.has(Modifier::or_)) return AtomicRMWInst::Or;
    if (inst.has(Modifier::xor_)) return AtomicRMWInst::Xor;
    if (inst.has(Modifier::exch)) return AtomicRMWInst::Xchg;
    if (inst.has(Modifier::min)) return is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
    if (inst.has(Modifier::max)) return is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
    return std::nullopt;
}

// Its result, and those of inc, dec and cas.
llvm::Value* integer_step(llvm::IRBuilder<>& b, const ptx::Instruction& inst, llvm::Value* old,
                          llvm::Value* operand, llvm::Value* replacement) {
    llvm::Value* zero = llvm::Constant::getNullValue(old->getType());
    llvm::Value* one = llvm::ConstantInt::get(old->getType(), 1);
    if (inst.has(Modifier::inc))
        return b.CreateSelect(b.CreateICmpUGE(old, operand), zero, b.CreateAdd(old, one));
    if (inst.has(Modifier::dec)) {
        llvm::Value* wraps = b.CreateOr(b.CreateICmpEQ(old, zero), b.CreateICmpUGT(old, operand));
        return b.CreateSelect(wraps, operand, b.CreateSub(old, one));
    }
    if (inst.has(Modifier::cas)) return b.CreateSelect(b.CreateICmpEQ(old, operand), replacement, old);
    switch (*host_operation(inst)) {
        case AtomicRMWInst::Add: return b.CreateAdd(old, operand);
        case AtomicRMWInst::And: return b.CreateAnd(old, operand);
        case AtomicRMWInst::Or: return b.CreateOr(old, operand);
        case AtomicRMWInst::Xor: return b.CreateXor(old, operand);
        case AtomicRMWInst::Min: return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, old, operand);
        case AtomicRMWInst::Max: return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, old, operand);
        case AtomicRMWInst::UMin: return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, old, operand);
        case AtomicRMWInst::UMax: return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, old, operand);
        default: return operand;  // exch
    }
}

}  // namespace

// Whether anything in the function reads what an instruction gives, or its caller.
bool Emitter::is_read(const Op& result) {
    if (result.kind != Op::Kind::reg) return false;
    if (!read_registers_.empty()) return read_registers_[result.id];
    read_registers_.resize(function_.registers.size());
    for (const kernel::Block& block : function_.blocks) {
        for (const Inst& inst : block.instructions)
            for (const kernel::RegId r : kernel::registers_read(function_, inst)) read_registers_.set(r);
        const kernel::Terminator& end = block.terminator;
        if (end.guard) read_registers_.set(end.guard->reg);
        if (end.index.kind == Op::Kind::reg) read_registers_.set(end.index.id);
    }
    if (!function_.entry)
        for (const kernel::RegId r : kernel::return_registers(function_)) read_registers_.set(r);
    return read_registers_[result.id];
}

// What it does, if that comes to the same in whatever order blocks do it, and nothing else to the same word.
std::optional<std::string> Emitter::commuting_kind(const Inst& inst, bool returns) {
    const Type type = inst.type();
    if (returns || ptx::is_float(type) || ptx::type_class(type) == ptx::TypeClass::packed)
        return std::nullopt;
    const int bits = ptx::type_bits(type);
    for (const auto& [modifier, name] : {std::pair{Modifier::add, "add"},
                                         {Modifier::and_, "and"},
                                         {Modifier::or_, "or"},
                                         {Modifier::xor_, "xor"}})
        if (inst.has(modifier)) return fmt::format("{} {}", name, bits);
    for (const auto& [modifier, name] : {std::pair{Modifier::min, "min"}, {Modifier::max, "max"}})
        if (inst.has(modifier)) return fmt::format("{} {}", name, ptx::type_name(type));
    for (const auto& [modifier, name] : {std::pair{Modifier::inc, "inc"}, {Modifier::dec, "dec"}}) {
        if (!inst.has(modifier)) continue;
        const Op& bound = inst.operands[inst.opcode == Opcode::atom ? 2 : 1];
        if (const auto known = constant_of(bound)) return fmt::format("{} {}", name, *known);
    }
    return std::nullopt;
}

bool Emitter::emit_atomic(const Inst& inst) {
    if (inst.opcode != Opcode::atom && inst.opcode != Opcode::red) return false;
    const auto& ops = inst.operands;
    Type type = inst.type();
    int bytes = ptx::type_bytes(type), bits = 8 * bytes;
    if (inst.has(Modifier::v2) || inst.has(Modifier::v4) || inst.has(Modifier::v8) || bytes > 8) {
        fail(inst, "vector and 128-bit atomics are not implemented");
        return true;
    }
    const bool has_result = inst.opcode == Opcode::atom, returns = has_result && is_read(ops[0]);
    const Op& operand = ops[has_result ? 2 : 1];
    std::size_t third = inst.has(Modifier::async) ? ops.size() : has_result ? 3 : 2;
    bool is_signed = ptx::is_signed(type);
    bool pair = type == Type::f16x2 || type == Type::bf16x2;
    bool half = pair || type == Type::f16 || type == Type::bf16;
    bool number = type == Type::f32 || type == Type::f64;
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
    std::string_view op = operation;
    ptx::Space space = kernel::space_of(inst);
    if (space == ptx::Space::local) {
        fail(inst, "atomics in local memory do not exist");
        return true;
    }
    if (op == "?" || ((half || number) && op != "add" && op != "exch" && op != "cas")) {
        fail(inst, fmt::format("atomic {}.{} is not implemented", operation, ptx::type_name(type)));
        return true;
    }

    Program::Atomic form{.name = fmt::format("{}.{}", operation, ptx::type_name(type)),
                         .bytes = bytes,
                         .returns = returns,
                         .own = space == ptx::Space::shared,
                         .swaps = op == "cas"};
    const bool adds_numbers = (half || number) && op == "add";
    if (!adds_numbers) form.host = host_operation(inst);
    // Results that depend on the order of blocks keep to one thread, so that a program gives the same bits
    // twice.
    if (space != ptx::Space::shared) {
        if (const auto kind = commuting_kind(inst, returns))
            program_.commuting.insert(*kind);
        else
            program_.order_matters = true;
    }
    const ScalarFunction* half_sum =
        half ? find_float_op(type == Type::f16 || type == Type::f16x2 ? "add.rn.f16" : "add.rn.bf16")
             : nullptr;
    auto step = [&](llvm::IRBuilder<>& b, Value* old, Value* value, Value* replacement) -> Value* {
        if (!adds_numbers) return integer_step(b, inst, old, value, replacement);
        if (number) {
            llvm::Type* real = type == Type::f64 ? b.getDoubleTy() : b.getFloatTy();
            Value* sum = b.CreateFAdd(b.CreateBitCast(old, real), b.CreateBitCast(value, real));
            return b.CreateBitCast(sum, old->getType());
        }
        llvm::Type* i32 = b.getInt32Ty();
        auto callee = program_.external(std::string(half_sum->name), half_sum->address,
                                        llvm::FunctionType::get(i32, {i32, i32}, false));
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
        return b.CreateZExtOrTrunc(sum, old->getType());
    };

    Access a = access(inst);
    Value* mask = instruction_mask(inst);
    record_access(a, mask);
    load_range(a);
    Value* b = spill(read_bits(operand, bits, false));
    Value* c = ops.size() > third ? spill(read_bits(ops[third], bits, false)) : b;
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(bits), warp_lanes);
    Value* out = b;
    if (returns) {
        out = scratch(lanes);
        builder_.CreateStore(llvm::Constant::getNullValue(lanes), out);
    }
    builder_.CreateCall(program_.atomic_lanes(form, step), {ctx_, range_pointer(a), builder_.getInt32(a.site),
                                                            spill(lane_addresses(a)), mask, b, c, out});
    if (returns) write(inst, ops[0], builder_.CreateLoad(lanes, out), is_signed);
    if (inst.has(Modifier::async)) complete_bytes(inst);
    return true;
}

}  // namespace lockstep::exec::jit
