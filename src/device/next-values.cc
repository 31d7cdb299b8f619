#include "device/next-values.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// `i < 99` with the last value that a step led to, as `i + 1 < 100`, if nobody else needs that value.
bool ask_next(llvm::PHINode& variable, llvm::BasicBlock& latch) {
    auto* next = llvm::dyn_cast<llvm::BinaryOperator>(variable.getIncomingValueForBlock(&latch));
    if (!next || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != &variable ||
        !variable.hasNUses(2))
        return false;
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
    for (llvm::User* user : variable.users()) {
        auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user);
        if (!comparison || !step || comparison->getOperand(0) != &variable) continue;
        const auto* bound = llvm::dyn_cast<llvm::ConstantInt>(comparison->getOperand(1));
        const bool is_signed = comparison->isSigned();
        if (!bound || comparison->isEquality() || next->getParent() != comparison->getParent() ||
            !(is_signed ? next->hasNoSignedWrap() : next->hasNoUnsignedWrap()))
            return false;
        bool wraps = false;
        const llvm::APInt moved = is_signed ? bound->getValue().sadd_ov(step->getValue(), wraps)
                                            : bound->getValue().uadd_ov(step->getValue(), wraps);
        if (wraps) return false;
        if (comparison->comesBefore(next)) next->moveBefore(comparison);
        comparison->setOperand(0, next);
        comparison->setOperand(1, llvm::ConstantInt::get(bound->getType(), moved));
        return true;
    }
    return false;
}

}  // namespace

llvm::PreservedAnalyses NextValues::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    bool changed = false;
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
        if (llvm::BasicBlock* const latch = loop->getLoopLatch())
            for (llvm::PHINode& variable : loop->getHeader()->phis()) changed |= ask_next(variable, *latch);
    return same_branches(changed);
}

}  // namespace lockstep::device
