// Addresses as arithmetic on bytes: `p[i & 31]` is p plus ((i << 2) & 124), with what LLVM makes of that, as
// in nvcc's code.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct ByteAddresses : llvm::PassInfoMixin<ByteAddresses> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
