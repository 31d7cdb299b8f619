// The branches of unoptimised code as nvcc's front end writes them, where clang's has fewer or other ones:
// a condition of several parts becomes one value before it is branched on, a choice is a branch, and loops
// have a block of their own for `continue` and for what comes before the place that `break` goes to.
// Works on clang's IR as it is at -O0, with variables in memory.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct WholeConditions : llvm::PassInfoMixin<WholeConditions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
