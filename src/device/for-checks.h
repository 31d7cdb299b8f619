// What is asked of code that `lockstep check` looks at, beside what it does: reads of memory that nobody has
// written are still there, and a loop says the line that it begins with.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// Shared variables may have been written, for all that LLVM knows.
struct KeepUndefinedReads : llvm::PassInfoMixin<KeepUndefinedReads> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// The branch back to a loop's head is at the loop's own line.
struct LoopLines : llvm::PassInfoMixin<LoopLines> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
