// Unoptimised code divides by constants as written, and inverts a condition by an instruction of its own, as
// nvcc's does. LLVM's code generator strength-reduces and folds even at -O0, so these are hidden from it.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct AsWritten : llvm::PassInfoMixin<AsWritten> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
