// Between lanes: reading and writing single ones, and what the LDS unit moves without memory.
#include <string_view>

#include "exec/wave/calls.h"
#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;

Value* first_running(Emitter& e) {
    auto& b = e.builder();
    Value* exec = e.exec();
    Value* first = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, exec, b.getFalse());
    return b.CreateSelect(b.CreateICmpEQ(exec, b.getInt64(0)), b.getInt64(0), first);
}

Value* lane_number(Emitter& e, const gcn::Operand& op) {
    auto& b = e.builder();
    return b.CreateZExt(b.CreateAnd(e.scalar32(op), static_cast<std::uint64_t>(e.lanes() - 1)),
                        b.getInt64Ty());
}

// How many lanes before this one are set in half of a mask.
void count_before(Emitter& e, const Inst& inst, bool upper) {
    auto& b = e.builder();
    Value* mask = e.source(inst, 1, As::b32);
    std::vector<llvm::Constant*> before;
    for (int lane = 0; lane < e.lanes(); ++lane) {
        const int in_half = upper ? lane - 32 : lane;
        const std::uint32_t bits = in_half <= 0 ? 0 : in_half >= 32 ? ~0u : (1u << in_half) - 1;
        before.push_back(b.getInt32(bits));
    }
    Value* counted =
        b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, b.CreateAnd(mask, llvm::ConstantVector::get(before)));
    e.set(inst, b.CreateAdd(counted, e.source(inst, 2, As::b32)), As::b32);
}

// ds_swizzle: the offset says which lanes change places.
void swizzle(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    const auto offset = static_cast<std::uint32_t>(inst.value("offset"));
    std::vector<int> from;
    for (int lane = 0; lane < e.lanes(); ++lane) {
        const auto number = static_cast<std::uint32_t>(lane);
        if (offset & 0x8000) {  // within quads
            from.push_back(static_cast<int>((number & ~3u) + (offset >> 2 * (number & 3) & 3)));
            continue;
        }
        const std::uint32_t and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
        from.push_back(
            static_cast<int>((number & ~31u) + ((((number & 31) & and_mask) | or_mask) ^ xor_mask)));
    }
    Value* there = e.shuffled(e.running(), from);
    Value* value = e.shuffled(e.vector32(inst.operands.at(1)), from);
    e.set_vector32(inst.operands.at(0), b.CreateSelect(there, value, e.number32(0)));
}

// ds_bpermute and ds_permute: lanes by addresses of words.
void permute(Emitter& e, const Inst& inst, const char* name, void* function) {
    auto& b = e.builder();
    Value* addresses = e.vector32(inst.operands.at(1));
    addresses = b.CreateAdd(addresses, e.number32(static_cast<std::uint32_t>(inst.value("offset"))));
    Value* from = e.stored(addresses);
    Value* data = e.stored(e.vector32(inst.operands.at(2)));
    Value* result = e.array(1);
    e.call(name, function, b.getVoidTy(),
           {e.exec(), from, data, result, b.getInt32(static_cast<std::uint32_t>(e.lanes()))});
    e.set_vector32(inst.operands.at(0),
                   b.CreateAlignedLoad(e.vector_of(b.getInt32Ty()), result, llvm::Align(64)));
}

// v_permlane32_swap and the like of later parts are missing; v_swap_b32 changes two registers.
void swap_registers(Emitter& e, const Inst& inst) {
    Value* one = e.vector32(inst.operands.at(0));
    Value* other = e.vector32(inst.operands.at(1));
    e.set_vector32(inst.operands.at(0), other);
    e.set_vector32(inst.operands.at(1), one);
}

}  // namespace

bool emit_lanes(Emitter& e, const gcn::Instruction& inst) {
    auto& b = e.builder();
    const std::string_view name = inst.name;
    if (name == "v_readfirstlane_b32") {
        e.set_scalar32(inst.operands.at(0),
                       b.CreateExtractElement(e.vector32(inst.operands.at(1)), first_running(e)));
    } else if (name == "v_readlane_b32") {
        Value* lane = lane_number(e, inst.operands.at(2));
        e.set_scalar32(inst.operands.at(0), b.CreateExtractElement(e.vector32(inst.operands.at(1)), lane));
    } else if (name == "v_writelane_b32") {
        // Whether the lane runs or not.
        Value* lane = lane_number(e, inst.operands.at(2));
        Value* written =
            b.CreateInsertElement(e.vector32(inst.operands.at(0)), e.scalar32(inst.operands.at(1)), lane);
        e.set_whole_vector_part(inst.operands.at(0), 0, written);
    } else if (name == "v_mbcnt_lo_u32_b32") {
        count_before(e, inst, false);
    } else if (name == "v_mbcnt_hi_u32_b32") {
        count_before(e, inst, true);
    } else if (name == "ds_swizzle_b32") {
        swizzle(e, inst);
    } else if (name == "ds_bpermute_b32") {
        permute(e, inst, "lockstep_wave_bpermute", reinterpret_cast<void*>(&wave_bpermute));
    } else if (name == "ds_permute_b32") {
        permute(e, inst, "lockstep_wave_permute", reinterpret_cast<void*>(&wave_permute));
    } else if (name == "v_swap_b32") {
        swap_registers(e, inst);
    } else {
        return name == "v_nop";
    }
    return true;
}

}  // namespace lockstep::exec::wave
