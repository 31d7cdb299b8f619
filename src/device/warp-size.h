// `warpSize` is read from the machine, as with nvcc: a division by it stays one for whatever comes after.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct WarpSize : llvm::PassInfoMixin<WarpSize> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Where something needs its address after all.
struct WarpSizeVariable : llvm::PassInfoMixin<WarpSizeVariable> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
