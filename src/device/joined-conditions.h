// `a && b` and `a || b`: whether they are one condition.
#pragma once
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// Marks the branches that && and || of the source have made, before anything else looks like them.
struct MarkJoinedConditions : llvm::PassInfoMixin<MarkJoinedConditions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Makes one branch of two that are marked where computing the second condition is little work; LLVM does so
// for a single operation only, and not once its values are used elsewhere.
struct JoinConditions : llvm::PassInfoMixin<JoinConditions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Whether the branch is of an && or || that is still two branches, and not its first; and it no longer is.
bool is_joined(const llvm::BranchInst& branch);
void forget_joined(llvm::BranchInst& branch);

}  // namespace lockstep::device
