// `if (a[i] < x && b[i] < y) ++count;`: where the whole of what depends on an && or || that stays two
// branches is one operation, nvcc has the value of the condition, and chooses by it: count + (a[i] < x &&
// b[i] < y).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// To be run when conditions have been joined; takes their marks off. LLVM would choose on each way at once,
// so the value is hidden from it.
struct ConditionValues : llvm::PassInfoMixin<ConditionValues> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct ShowConditionValues : llvm::PassInfoMixin<ShowConditionValues> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
