// What both sides of a branch have in common moves before it or behind it, but what loads or stores, atomics
// included, does not move behind it.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct JoinBranches : llvm::PassInfoMixin<JoinBranches> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
