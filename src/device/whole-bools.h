// A bool in memory is true where its byte is not zero: nvcc compares the byte, LLVM takes its lowest bit.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// At the start already, so that what conditions tell of a flag is seen (`for (; i < n && !found;)` goes on
// only with one that is false), and once more at the end, for what LLVM has made of it.
struct WholeBools : llvm::PassInfoMixin<WholeBools> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// The code generator would take the lowest bit again of what is known to be zero or one.
struct ForgetBools : llvm::PassInfoMixin<ForgetBools> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
