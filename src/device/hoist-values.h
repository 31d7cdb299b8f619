// What a loop computes from nothing of its own is computed before it, also where only some of its trips need
// it. Loads stay where they are: LLVM hoists those that every trip does.
#pragma once
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class LPMUpdater;
}

namespace lockstep::device {

struct HoistValues : llvm::PassInfoMixin<HoistValues> {
    llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace lockstep::device
