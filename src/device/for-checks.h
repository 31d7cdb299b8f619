// What is asked of code that `lockstep check` looks at, beside what it does: reads of memory that nobody has
// written are still there, and lines are those that a user looks for.
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

// What was inlined from a header of CUDA's is at the line that called it: PTX of LLVM 19 says no call chain.
struct UserLines : llvm::PassInfoMixin<UserLines> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// A choice between values of which one was loaded, by a condition that does not rest on it, becomes a branch:
// which lanes took which value is not told of a `selp`, and one of the two may be undefined.
struct ChoicesAsBranches : llvm::PassInfoMixin<ChoicesAsBranches> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
