// A signed 32-bit index that steps through an array with its loop is computed in 64 bits, so that the address
// can step instead. Signed arithmetic may not overflow, so both are the same; LLVM does not see that where
// the index is a sum.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct WideIndex : llvm::PassInfoMixin<WideIndex> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
