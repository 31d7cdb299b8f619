#include "device/steady-conditions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// The condition of what a loop might be divided by: a branch, or a choice of values.
llvm::Use* condition_of(llvm::Instruction& instruction, const llvm::Loop& loop) {
    if (auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
        const bool stays = branch->isConditional() && loop.contains(branch->getSuccessor(0)) &&
                           loop.contains(branch->getSuccessor(1));
        return stays ? &branch->getOperandUse(0) : nullptr;
    }
    if (llvm::isa<llvm::SelectInst, llvm::SwitchInst>(instruction)) return &instruction.getOperandUse(0);
    return nullptr;
}

}  // namespace

llvm::PreservedAnalyses HideConditions::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
    const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    if (loops.empty()) return llvm::PreservedAnalyses::all();
    const auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
    llvm::SmallVector<llvm::Use*> hidden;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        const llvm::Loop* const loop = loops.getLoopFor(instruction.getParent());
        llvm::Use* const condition = loop ? condition_of(instruction, *loop) : nullptr;
        if (!condition || llvm::isa<llvm::Constant>(*condition) || condition->get()->getType()->isVectorTy())
            continue;
        const bool is_outer_choice = llvm::isa<llvm::SelectInst>(instruction) && !loop->isInnermost();
        if (llvm::isa<llvm::SwitchInst>(instruction) || is_outer_choice || uniformity.isDivergent(*condition))
            hidden.push_back(condition);
    }
    for (llvm::Use* condition : hidden) {
        llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(condition->getUser()));
        condition->set(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ssa_copy, *condition));
    }
    return same_branches(!hidden.empty());
}

llvm::PreservedAnalyses ShowConditions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        const auto* copy = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!copy || copy->getIntrinsicID() != llvm::Intrinsic::ssa_copy) return false;
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
