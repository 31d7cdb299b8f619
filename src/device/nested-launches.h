// Launches in device code, which clang writes as on the host (a call that takes the configuration, and one of
// the kernel itself), become calls of the device runtime, as nvcc has them: a buffer is asked for, filled
// with the arguments, and handed over.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct NestedLaunches : llvm::PassInfoMixin<NestedLaunches> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
    static bool isRequired() { return true; }
};

}  // namespace lockstep::device
