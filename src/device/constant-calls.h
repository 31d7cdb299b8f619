#pragma once

// Functions of the math library are computed at once where their arguments are constants, as are the fast
// approximations of logarithms, powers, sine and cosine: those that nvcc does so for. `for (int i = 1; i <=
// __log2f(16); i++)` has four trips then. To be run before loops are unrolled: what becomes constant only
// then stays, as with nvcc.

#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct ConstantCalls : llvm::PassInfoMixin<ConstantCalls> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
