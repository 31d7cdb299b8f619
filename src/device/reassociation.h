// LLVM's reassociation of sums and products. A sum that does not wrap does not do so in another order either, as
// far as an index is concerned: one of 64 bits, that is made of its parts, is the same.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct Reassociation : llvm::PassInfoMixin<Reassociation> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
