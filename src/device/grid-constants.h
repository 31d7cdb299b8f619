// Parameters that are the same for the whole grid (__grid_constant__) stay where they are: what takes their
// address gets the parameter's own. LLVM would copy them to each thread's local memory, unless it is told.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// On a parameter of a kernel: it is one of them.
constexpr const char* grid_constant = "lockstep-grid-constant";

struct GridConstants : llvm::PassInfoMixin<GridConstants> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
    static bool isRequired() { return true; }
};

}  // namespace lockstep::device
