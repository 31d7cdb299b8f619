// A minimum or maximum of two numbers that are compared anyway, for a branch or a sum, is chosen by that
// comparison. LLVM makes an instruction of its own of it wherever it sees one.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct ChosenExtremes : llvm::PassInfoMixin<ChosenExtremes> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
