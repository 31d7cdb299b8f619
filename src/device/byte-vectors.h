// A vector of four bytes is four registers.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// LLVM loads four bytes of global memory as one word and cuts it up; nvcc loads each into a register of its
// own, extended by zeros.
struct ByteVectors : llvm::PassInfoMixin<ByteVectors> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
