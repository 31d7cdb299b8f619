// LLVM proves that a loop's variable is a power of two (1, 2, 4, …), and makes an `and` of a remainder by it.
// nvcc does not: `tid % (2 * stride)` stays a remainder, and the slowest instruction of the first reduction
// that people write. So divisors that come from a loop's variable are hidden from LLVM until they are
// constants, or until all is done.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct HideDivisors : llvm::PassInfoMixin<HideDivisors> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Shows those that have become constants (of unrolled loops and inlined functions), or all.
struct ShowDivisors : llvm::PassInfoMixin<ShowDivisors> {
    explicit ShowDivisors(bool all) : all(all) {}
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
    bool all;
};

}  // namespace lockstep::device
