// Local arrays get their first values by stores of constants, as with nvcc, instead of a copy of a global
// table.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct Initialisers : llvm::PassInfoMixin<Initialisers> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
