// `x >>= 1` in a loop that ends when x is zero: LLVM compares what was shifted with what is shifted out, so
// that x is needed beside its half. nvcc compares the half where it is needed anyway. Such comparisons are
// hidden from LLVM, but while loops are counted and unrolled.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct HideShifted : llvm::PassInfoMixin<HideShifted> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct ShowShifted : llvm::PassInfoMixin<ShowShifted> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
