// A bool in memory is true where its byte is not zero: nvcc compares the byte, LLVM takes its lowest bit.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct WholeBools : llvm::PassInfoMixin<WholeBools> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
