// Conditions that a loop does not change, and which of them it is divided by.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// nvcc divides a loop by a condition that stays the same in it and is the same for all threads of a warp:
// LLVM's unswitching does it, but for what is hidden from it here: conditions that threads may differ in,
// those of switches, and those that only choose a value in a loop around others. Ways out of a loop are not
// hidden.
struct HideConditions : llvm::PassInfoMixin<HideConditions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct ShowConditions : llvm::PassInfoMixin<ShowConditions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
