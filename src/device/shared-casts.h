// Addresses of shared memory have 32 bits here, generic ones 64. LLVM's code generator knows such casts only
// with an option that shortens other addresses, too; this writes them out for it. To be run last, when no
// cast is left that could go.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct SharedCasts : llvm::PassInfoMixin<SharedCasts> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
