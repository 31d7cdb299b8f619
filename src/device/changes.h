// What passes that change instructions, and no branch, have in common.
#pragma once
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// What LLVM still knows after such a pass.
inline llvm::PreservedAnalyses same_branches(bool changed) {
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
}

// Hands each instruction to `change`, which may erase it and tells whether it changed anything.
template <class Change>
bool change_instructions(llvm::Function& function, Change change) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
        changed |= change(instruction);
    return changed;
}

}  // namespace lockstep::device
