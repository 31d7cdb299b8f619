// What a kernel's pointer parameters point to is global memory. Said before all other passes, so that they
// know shared memory apart from it: a sum in global memory that is added to in a loop over shared memory then
// stays in a register.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct GlobalPointers : llvm::PassInfoMixin<GlobalPointers> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
