#include "device/strength-reduction.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopStrengthReduce.h>

namespace lockstep::device {

bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& scev) {
    const llvm::BasicBlock* const exiting = loop.getExitingBlock();
    const auto* branch = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
    const auto* comparison =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!comparison) return false;
    const auto steps = [&](llvm::Value* value) {
        if (!scev.isSCEVable(value->getType())) return false;
        const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev.getSCEV(value));
        return recurrence && recurrence->getLoop() == &loop;
    };
    return steps(comparison->getOperand(0)) || steps(comparison->getOperand(1));
}

llvm::PreservedAnalyses StrengthReduction::run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                               llvm::LoopStandardAnalysisResults& results,
                                               llvm::LPMUpdater& updater) {
    if (!is_counted(loop, results.SE)) return llvm::PreservedAnalyses::all();
    return llvm::LoopStrengthReducePass().run(loop, analyses, results, updater);
}

}  // namespace lockstep::device
