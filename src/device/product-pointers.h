// Matrices that a warp loads and stores (wmma) are in the memory that their address leads to, `wmma.load.a…
// .shared`, with its addresses: LLVM's inference of address spaces leaves them alone.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct ProductPointers : llvm::PassInfoMixin<ProductPointers> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
