// createpolicy: the number that stands for an L2 eviction policy, as an H200 makes it. Accesses take it and
// do nothing with it: caches are not simulated here.
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;

namespace {

constexpr std::uint64_t policy = 1ull << 60, of_range = 8ull << 56;
constexpr int priority_at = 56, exponent_at = 52, first_at = 44, count_at = 37;
constexpr int block_bits = 12,
              most_blocks_bits = 7;  // 128 blocks of 4 KB, or of a power of two more, are a range

// What is first, and the rest: the priorities in the order of their names.
std::uint64_t priorities(const ptx::Instruction& inst) {
    std::uint64_t first = 0, rest = 0;
    if (inst.has(Modifier::L2_evict_last))
        first = 4;
    else if (inst.has(Modifier::L2_evict_normal))
        first = 6;
    else if (inst.has(Modifier::L2_evict_first))
        return 2;
    if (first && inst.has(Modifier::L2_evict_first)) rest = 1;
    return first | rest;
}

}  // namespace

void Emitter::emit_cache_policy(const Inst& inst) {
    const auto& ops = inst.operands;
    const bool scalar = scalar_result(inst);
    if (inst.has(Modifier::cvt)) return write(inst, ops[0], read_bits(ops[1], 64, scalar));
    std::uint64_t known = policy | priorities(inst) << priority_at;
    auto placed = [&](Value* value, int at) {
        value = builder_.CreateZExtOrTrunc(value, like(value, int_type(64)));
        return builder_.CreateShl(value, constant(value, static_cast<std::uint64_t>(at)));
    };
    auto made = [&](Value* parts) { write(inst, ops[0], builder_.CreateOr(parts, constant(parts, known))); };
    if (inst.has(Modifier::fractional)) {
        // Sixteenths, rounded up, less one.
        if (ops.size() < 2) {
            known |= 15ull << exponent_at;
            Value* nothing = llvm::ConstantInt::get(int_type(64), 0);
            return made(scalar ? nothing : splat(nothing));
        }
        Value* share = read_bits(ops[1], 32, scalar);
        share = builder_.CreateBitCast(share, like(share, builder_.getFloatTy()));
        Value* sixteenths = builder_.CreateUnaryIntrinsic(
            llvm::Intrinsic::ceil, builder_.CreateFMul(share, llvm::ConstantFP::get(share->getType(), 16)));
        Value* less = builder_.CreateFSub(sixteenths, llvm::ConstantFP::get(share->getType(), 1));
        Value* number = builder_.CreateFPToUI(less, like(less, int_type(32)));
        return made(placed(builder_.CreateAnd(number, constant(number, 15)), exponent_at));
    }
    known |= of_range;
    const Op& at = ops[1].kind == Op::Kind::address ? ops[1].elements[0] : ops[1];
    Value* address = read_bits(at, 64, scalar);
    address = builder_.CreateAdd(address, constant(address, static_cast<std::uint64_t>(ops[1].offset)));
    Value* primary = read_bits(ops[2], 32, scalar);
    Value* total = read_bits(ops[3], 32, scalar);
    // The least power of two of blocks of which 128 hold the whole range.
    constexpr int smallest_bits = block_bits + most_blocks_bits;
    Value* whole =
        builder_.CreateLShr(builder_.CreateSub(total, constant(total, 1)), constant(total, smallest_bits));
    Value* exponent =
        builder_.CreateSub(constant(total, 32),
                           builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, whole, builder_.getFalse()));
    Value* bits = builder_.CreateAdd(exponent, constant(exponent, block_bits));
    Value* first = builder_.CreateLShr(address, builder_.CreateZExt(bits, address->getType()));
    first = builder_.CreateAnd(first, constant(first, (1u << most_blocks_bits) - 1));
    Value* count = builder_.CreateAdd(
        builder_.CreateLShr(builder_.CreateSub(primary, constant(primary, 1)), bits), constant(primary, 1));
    count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count,
                                           constant(count, (1u << most_blocks_bits) - 1));
    made(builder_.CreateOr(placed(exponent, exponent_at),
                           builder_.CreateOr(placed(first, first_at), placed(count, count_at))));
}

}  // namespace lockstep::exec::jit
