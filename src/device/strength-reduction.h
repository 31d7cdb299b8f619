#pragma once

// LLVM's strength reduction, of the loops that nvcc does it for: those that only their own variable ends.
// Where data does (`while (a[i] != x)`), or a `break`, addresses are computed from the index in each trip.

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class LPMUpdater;
class Loop;
class ScalarEvolution;
}  // namespace llvm

namespace lockstep::device {

// Whether the loop has one exit, on a comparison of what steps in the loop.
bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& scev);

struct StrengthReduction : llvm::PassInfoMixin<StrengthReduction> {
    llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace lockstep::device
