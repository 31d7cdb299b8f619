// LLVM knows that a number is not negative from branches before it, and from what a loop makes of it
// (`i = n / 2; while (i != 0) i /= 2;`), and divides without a sign then. nvcc learns from branches only, and
// late: when loops have been turned over, and divisions merged that a loop's variable starts and goes on
// with. So where such a number is divided by a constant it is hidden, but while loops are counted and
// unrolled.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct HideDividends : llvm::PassInfoMixin<HideDividends> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// What branches have told.
struct DivideUnsigned : llvm::PassInfoMixin<DivideUnsigned> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct ShowDividends : llvm::PassInfoMixin<ShowDividends> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
