// `k == 0 ? a : k == 1 ? b : c`, and the same with if and else: LLVM makes a switch of the comparisons before it
// sees that each only chooses a value. nvcc chooses first, from the inside, and has two selects. What the source
// has as a switch stays one.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct EarlyChoices : llvm::PassInfoMixin<EarlyChoices> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
