// Barriers and warp operations are `convergent`, which keeps LLVM from unrolling loops around them with a
// remainder. nvcc does unroll these. So what is convergent is forgotten before that pass, and recalled behind
// it.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct ForgetConvergence : llvm::PassInfoMixin<ForgetConvergence> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

struct RecallConvergence : llvm::PassInfoMixin<RecallConvergence> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
