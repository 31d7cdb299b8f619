// `s[i]` of an array and `p[i]` of a pointer to its first element are written alike, so that they are one
// address.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct PlainElements : llvm::PassInfoMixin<PlainElements> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
