#pragma once

// A loop's condition asks the variable's next value, so that the one before need not be kept for it: LLVM
// makes
// `++i < 100` into `i++ < 99`. To be run last, as LLVM would do so again.

#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct NextValues : llvm::PassInfoMixin<NextValues> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
