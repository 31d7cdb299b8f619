#include "device/thread-indices.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr int most_steps = 6;

std::optional<std::uint64_t> most_of_register(const llvm::IntrinsicInst& reads) {
    switch (reads.getIntrinsicID()) {
        case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
        case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y: return 1023;
        case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z: return 63;
        default: return std::nullopt;
    }
}

// The largest that a 32-bit value made of indices and constants can be; more than 32 bits: it may wrap.
std::optional<std::uint64_t> most_of(const llvm::Value* value, int steps = most_steps) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->getZExtValue();
    if (const auto* reads = llvm::dyn_cast<llvm::IntrinsicInst>(value)) return most_of_register(*reads);
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || steps == 0) return std::nullopt;
    const auto a = most_of(operation->getOperand(0), steps - 1),
               b = most_of(operation->getOperand(1), steps - 1);
    if (operation->getOpcode() == llvm::Instruction::And && (a || b))
        return std::min(a.value_or(UINT32_MAX), b.value_or(UINT32_MAX));
    if (!a || !b || *a > UINT32_MAX || *b > UINT32_MAX) return std::nullopt;
    switch (operation->getOpcode()) {
        case llvm::Instruction::Add: return *a + *b;
        case llvm::Instruction::Or:
            return llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint() ? std::optional(*a + *b)
                                                                                   : std::nullopt;
        case llvm::Instruction::Mul: return *a * *b;
        case llvm::Instruction::Shl:
            return *b < 32 && llvm::isa<llvm::ConstantInt>(operation->getOperand(1)) ? std::optional(*a << *b)
                                                                                     : std::nullopt;
        case llvm::Instruction::LShr:
            return llvm::isa<llvm::ConstantInt>(operation->getOperand(1)) && *b < 32 ? std::optional(*a >> *b)
                                                                                     : std::nullopt;
        default: return std::nullopt;
    }
}

}  // namespace

llvm::PreservedAnalyses ThreadIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        if (!llvm::isa<llvm::OverflowingBinaryOperator>(instruction) ||
            !instruction.getType()->isIntegerTy(32) || instruction.hasNoUnsignedWrap())
            return false;
        const auto most = most_of(&instruction);
        if (!most || *most > UINT32_MAX) return false;
        instruction.setHasNoUnsignedWrap();
        return true;
    }));
}

}  // namespace lockstep::device
