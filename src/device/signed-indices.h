// LLVM makes an unsigned extension of a signed one where it knows that the value is not negative, behind `if
// (i > 0)`, say. A signed sum can be taken apart, an unsigned one not: such extensions are signed again, as
// nvcc leaves them.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct SignedIndices : llvm::PassInfoMixin<SignedIndices> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
