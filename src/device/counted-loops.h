// Loops' variables, by LLVM's own pass. That a loop which counts ends with `i != n` instead of `i < n`, and
// that the count is n behind it, is for those that end in no other way.
#pragma once
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace lockstep::device {

struct CountedLoops : llvm::PassInfoMixin<CountedLoops> {
    llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                llvm::LoopStandardAnalysisResults& standard, llvm::LPMUpdater& updater);
};

}  // namespace lockstep::device
