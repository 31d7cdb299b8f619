// mov (with packing and unpacking of vectors), cvta, isspacep, and addresses in
// clusters.
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

// Where the shared memory of a block begins, by the first byte of addresses in
// it.
Emitter::Value* Emitter::cluster_base(Value* tag) {
    Value* table = context_field(offsetof(WarpContext, cluster_shared), builder_.getPtrTy(), "cluster");
    Value* index = builder_.CreateAnd(builder_.CreateZExt(tag, like(tag, int_type(64))),
                                      constant(builder_.CreateZExt(tag, like(tag, int_type(64))), 255));
    const auto load = [&](Value* one) {
        return builder_.CreateLoad(int_type(64), builder_.CreateInBoundsGEP(int_type(64), table, one));
    };
    if (!is_vector(index)) return load(index);
    Value* bases = llvm::PoisonValue::get(llvm::FixedVectorType::get(int_type(64), warp_lanes));
    for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
        bases = builder_.CreateInsertElement(bases, load(builder_.CreateExtractElement(index, lane)), lane);
    return bases;
}

// The generic address for one of .shared::cluster.
Emitter::Value* Emitter::cluster_address(Value* address) {
    Value* low = window_offset(address);
    Value* tag = builder_.CreateLShr(low, constant(low, cluster_shift));
    return builder_.CreateAdd(builder_.CreateAnd(low, constant(low, (1u << cluster_shift) - 1)),
                              cluster_base(tag));
}

// Of the block whose shared memory holds a generic address.
Emitter::Value* Emitter::cluster_rank(const Inst& inst, Value* address) {
    llvm::Type* words = llvm::FixedVectorType::get(int_type(32), warp_lanes);
    Value* out = scratch(words);
    builder_.CreateStore(llvm::Constant::getNullValue(words), out);
    builder_.CreateCall(program_.callback(Callback::cluster_rank),
                        {ctx_, instruction_mask(inst), spill(splat(address)), out});
    return builder_.CreateLoad(words, out);
}

// Whether the kernel makes addresses of other blocks' shared memory.
bool Emitter::maps_blocks() {
    if (!maps_blocks_) {
        maps_blocks_ = false;
        for (const kernel::Function& function : program_.kernel.functions)
            for (const kernel::Block& block : function.blocks)
                for (const Inst& inst : block.instructions) *maps_blocks_ |= inst.opcode == Opcode::mapa;
    }
    return *maps_blocks_;
}

// cvta.to.shared of an address that may lie in another block: then it is one of .shared::cluster.
Emitter::Value* Emitter::or_of_cluster(const Inst& inst, Value* generic, Value* offset) {
    const bool scalar = !is_vector(offset);
    Value* own = splat(offset);
    Value* out = spill(own);
    Value* far = builder_.CreateICmpUGE(own, constant(own, std::uint64_t{1} << cluster_shift));
    Value* lanes = builder_.CreateAnd(instruction_mask(inst), to_bits(far));
    when(builder_.CreateICmpNE(lanes, constant(lanes, 0)), [&] {
        Value* rank = cluster_rank(inst, generic);
        Value* next = builder_.CreateAdd(rank, constant(rank, 1));
        Value* there = builder_.CreateSub(splat(generic), cluster_base(next));
        Value* tag = builder_.CreateShl(next, constant(next, cluster_shift));
        there = builder_.CreateOr(there, builder_.CreateZExt(tag, like(tag, int_type(64))));
        builder_.CreateStore(builder_.CreateSelect(far, there, own), out);
    });
    Value* result = builder_.CreateLoad(own->getType(), out);
    if (!scalar) return result;
    Value* lane =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, instruction_mask(inst), builder_.getFalse());
    return builder_.CreateExtractElement(result, builder_.CreateAnd(lane, 31));
}

bool Emitter::emit_move(const Inst& inst) {
    const auto& ops = inst.operands;
    bool scalar = scalar_result(inst);
    switch (inst.opcode) {
        case Opcode::mov: {
            int bits = inst.type() == Type::pred ? 1 : ptx::type_bits(inst.type());
            if (ops[0].kind == Op::Kind::vector) {  // unpack, the lowest bits first
                int part = bits / static_cast<int>(ops[0].elements.size());
                // Parts may have shapes of their own; read as lanes unless all are uniform.
                bool all_scalar = true;
                for (const Op& element : ops[0].elements)
                    all_scalar &= element.kind != Op::Kind::reg || shape(element).is_uniform();
                Value* whole = read_bits(ops[1], bits, all_scalar);
                for (std::size_t i = 0; i < ops[0].elements.size(); ++i) {
                    Value* shifted = builder_.CreateLShr(whole, constant(whole, part * i));
                    write(inst, ops[0].elements[i],
                          builder_.CreateTrunc(shifted, like(whole, int_type(part))));
                }
                return true;
            }
            if (ops[1].kind == Op::Kind::vector) {  // pack
                int part = bits / static_cast<int>(ops[1].elements.size());
                Value* whole = nullptr;
                for (std::size_t i = 0; i < ops[1].elements.size(); ++i) {
                    Value* v = read_bits(ops[1].elements[i], part, scalar);
                    v = builder_.CreateZExt(v, like(v, int_type(bits)));
                    v = builder_.CreateShl(v, constant(v, part * i));
                    whole = whole ? builder_.CreateOr(whole, v) : v;
                }
                write(inst, ops[0], whole);
                return true;
            }
            // A copy between registers whose NaNs are made canonical on reading keeps them as they are.
            if (ops[1].kind == Op::Kind::reg && ops[0].kind == Op::Kind::reg &&
                lazy_nan_[ops[1].id] != Type::none && lazy_nan_[ops[0].id] == lazy_nan_[ops[1].id]) {
                write(inst, ops[0], read_register(ops[1].id, scalar));
                return true;
            }
            write(inst, ops[0], read_bits(ops[1], bits, scalar), ptx::is_signed(inst.type()));
            return true;
        }
        // Global, constant and parameter addresses are generic already; shared and local ones are offsets.
        case Opcode::cvta: {
            Value* address = read_bits(ops[1], 64, scalar);
            auto window = [&](std::size_t offset) {
                return builder_.CreatePtrToInt(context_field(offset, builder_.getPtrTy(), "window"),
                                               int_type(64));
            };
            bool to = inst.has(Modifier::to);
            if (inst.has(Modifier::shared_cluster) && !to) {
                address = cluster_address(address);
            } else if (inst.has(Modifier::shared_cluster)) {
                // Whose it is stands in the address's first byte; the own block's has 0
                // there.
                Value* rank = cluster_rank(inst, address);
                Value* base = cluster_base(builder_.CreateAdd(rank, constant(rank, 1)));
                Value* tag = builder_.CreateShl(builder_.CreateAdd(rank, constant(rank, 1)),
                                                constant(rank, cluster_shift));
                address = builder_.CreateSub(splat(address), base);
                address = builder_.CreateOr(address, builder_.CreateZExt(tag, like(tag, int_type(64))));
            } else if (inst.has(Modifier::shared) || inst.has(Modifier::shared_cta)) {
                Value* base = window(offsetof(WarpContext, shared));
                if (is_vector(address)) base = splat(base);
                Value* generic = address;
                address = to ? builder_.CreateSub(address, base) : builder_.CreateAdd(address, base);
                if (to && maps_blocks()) address = or_of_cluster(inst, generic, address);
            } else if (inst.has(Modifier::local)) {
                Value* base = window(offsetof(WarpContext, local));
                Value* stride = builder_.CreateZExt(
                    context_field(offsetof(WarpContext, local_bytes), int_type(32), ""), int_type(64));
                Value* bases =
                    builder_.CreateAdd(splat(base), builder_.CreateMul(splat(stride), lane_index(64)));
                address = to ? builder_.CreateSub(splat(address), bases)
                             : builder_.CreateAdd(splat(address), bases);
            }
            write(inst, ops[0], address);
            return true;
        }
        // Addresses of another block's shared memory: 32 bits with the block's rank
        // in the first byte, or generic ones.
        case Opcode::mapa: {
            const bool narrow = inst.type() == Type::u32;
            Value* rank = read_bits(ops[2], 32, scalar);
            Value* tag = builder_.CreateAdd(rank, constant(rank, 1));
            Value* address = read_bits(ops[1], narrow ? 32 : 64, scalar);
            if (narrow || inst.has(Modifier::shared_cluster)) {
                Value* low = builder_.CreateAnd(address, constant(address, (1u << cluster_shift) - 1));
                tag = builder_.CreateShl(tag, constant(tag, cluster_shift));
                if (!narrow) tag = builder_.CreateZExt(tag, like(tag, int_type(64)));
                write(inst, ops[0], builder_.CreateOr(low, tag));
                return true;
            }
            Value* own = builder_.CreatePtrToInt(
                context_field(offsetof(WarpContext, shared), builder_.getPtrTy(), "window"), int_type(64));
            Value* offset = builder_.CreateSub(address, is_vector(address) ? splat(own) : own);
            write(inst, ops[0], builder_.CreateAdd(offset, cluster_base(tag)));
            return true;
        }
        case Opcode::getctarank: {
            Value* address = read_bits(ops[1], inst.type() == Type::u32 ? 32 : 64, scalar);
            if (inst.has(Modifier::shared_cluster)) address = cluster_address(address);
            Value* rank = cluster_rank(inst, address);
            write(inst, ops[0], rank);
            return true;
        }
        case Opcode::isspacep: {
            // The engine knows what lies where; 0 global, 1 constant, 2 shared, 3 local, 4 parameters.
            std::uint32_t wanted = inst.has(Modifier::const_)   ? 1
                                   : inst.has(Modifier::local)  ? 3
                                   : inst.has(Modifier::param)  ? 4
                                   : inst.has(Modifier::global) ? 0
                                                                : 2;
            llvm::Type* words = llvm::FixedVectorType::get(int_type(32), warp_lanes);
            Value* out = scratch(words);
            builder_.CreateStore(llvm::Constant::getNullValue(words), out);
            builder_.CreateCall(program_.callback(Callback::address_space),
                                {ctx_, instruction_mask(inst), spill(read_bits(ops[1], 64, false)), out});
            Value* spaces = builder_.CreateLoad(words, out);
            Value* result = builder_.CreateICmpEQ(spaces, constant(spaces, wanted));
            if (inst.has(Modifier::shared_cluster)) {  // of any of the cluster's blocks
                constexpr std::uint32_t other_block = 5;
                result =
                    builder_.CreateOr(result, builder_.CreateICmpEQ(spaces, constant(spaces, other_block)));
            }
            if (scalar) {
                Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, instruction_mask(inst),
                                                             builder_.getFalse());
                result = builder_.CreateExtractElement(result, builder_.CreateAnd(lane, 31));
            }
            write(inst, ops[0], result);
            return true;
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
