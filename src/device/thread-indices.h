// A thread's index in its block is less than 1024 (z: 64). Sums and products of it with constants then do not
// wrap, and a constant can go into the address, as with nvcc. Nothing else is made of it: nvcc keeps an `if
// (threadIdx.x < 2048)`.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct ThreadIndices : llvm::PassInfoMixin<ThreadIndices> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
