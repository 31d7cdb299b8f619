// A load whose value only one side of a branch uses is done there; the computation of its address stays where
// it was (sink-loads).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct SinkLoads : llvm::PassInfoMixin<SinkLoads> {
    // Past the guards of loops, which rotation has made, a load goes only if none of the loop's variables
    // starts with its value.
    explicit SinkLoads(bool past_guards) : past_guards(past_guards) {}
    bool past_guards;

    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// And, when all else is done, so is everything that only one side needs, or only what comes behind both.
struct SinkValues : llvm::PassInfoMixin<SinkValues> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
