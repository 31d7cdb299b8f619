// Functions of the math library that only compute: known as such, so that calls of them are merged, hoisted
// and left out as nvcc does with the code that it inlines for them, and loads pass them. And the heap's, of
// which nvcc knows nothing: what LLVM can prove to be unneeded is allocated all the same. And what a warp
// executes together, which stays where it is.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct LibraryCalls : llvm::PassInfoMixin<LibraryCalls> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
