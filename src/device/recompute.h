// LLVM spares a load where its value is known on all ways but one, as nvcc does; but it also spares sums and
// products in this way, which nvcc computes again. So a value that all ways into a block have computed alike
// becomes one that is computed there.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct Recompute : llvm::PassInfoMixin<Recompute> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
