// Branches as nvcc has them, where LLVM 19 decides otherwise.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// `a || b ? x : y`: clang branches on each operand to the blocks of x and y; nvcc has the value of `a || b`,
// and selects. A branch whose two ways lead to the same block, through nothing, becomes a select.
struct SelectValues : llvm::PassInfoMixin<SelectValues> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// A block that only branches, on a condition that the way to it has decided, is left out on that way:
// `return` in a loop leaves the loop from where it stands. LLVM does not do so on GPUs.
struct ThreadBranches : llvm::PassInfoMixin<ThreadBranches> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// A switch over values of which LLVM knows that there are no others has a default that cannot be reached, and
// a comparison for each case. nvcc takes the last case as the default.
struct LastCaseIsDefault : llvm::PassInfoMixin<LastCaseIsDefault> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
