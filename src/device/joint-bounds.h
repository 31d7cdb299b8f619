// `i < a && i < b` in a loop, where a and b stay the same: LLVM compares i with the smaller one, and has the
// trips. nvcc keeps both comparisons, and knows no trips. One of them is hidden from LLVM until loops are
// done.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct HideJointBounds : llvm::PassInfoMixin<HideJointBounds> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct ShowJointBounds : llvm::PassInfoMixin<ShowJointBounds> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
