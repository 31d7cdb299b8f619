#include "device/hoist-values.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace lockstep::device {
namespace {

bool is_arithmetic(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator()) return false;
    return !instruction.mayReadOrWriteMemory() && !instruction.getType()->isTokenTy() &&
           llvm::isSafeToSpeculativelyExecute(&instruction);
}

}  // namespace

llvm::PreservedAnalyses HoistValues::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                         llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    if (!before) return llvm::PreservedAnalyses::all();
    llvm::LoopBlocksRPO blocks(&loop);
    blocks.perform(&results.LI);
    bool changed = false;
    for (llvm::BasicBlock* block : blocks)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
            if (!is_arithmetic(instruction) || !loop.hasLoopInvariantOperands(&instruction)) continue;
            instruction.moveBefore(before->getTerminator());
            instruction.dropUBImplyingAttrsAndMetadata();
            instruction.updateLocationAfterHoist();
            changed = true;
        }
    if (!changed) return llvm::PreservedAnalyses::all();
    results.SE.forgetLoopDispositions();
    llvm::PreservedAnalyses preserved = llvm::getLoopPassPreservedAnalyses();
    if (results.MSSA) preserved.preserve<llvm::MemorySSAAnalysis>();
    return preserved;
}

}  // namespace lockstep::device
