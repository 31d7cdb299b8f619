// The main part of a loop that was unrolled with a remainder counts its trips down to zero, beside whatever
// else steps in it. To be run behind LLVM's strength reduction, which would have the loop end on another
// variable.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// Marks such loops, and the loops of their remainders.
constexpr const char* has_remainder = "llvm.loop.unroll.runtime.disable";
constexpr const char* is_remainder = "lockstep.loop.remainder";

struct CountDown : llvm::PassInfoMixin<CountDown> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// The same for a loop in which something else of the counter's type steps: it ends when the counter's
// distance from the end, which each trip computes, is zero. To be run last, as LLVM would compare the two.
struct EndBySum : llvm::PassInfoMixin<EndBySum> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
