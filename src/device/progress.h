// What nvcc takes for granted of progress, told to LLVM: a barrier or a shuffle returns (so what follows one
// in a loop may be computed before the loop), but a loop need not end (so a bound that could be the type's
// greatest value says nothing of how often it runs).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct Progress : llvm::PassInfoMixin<Progress> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
