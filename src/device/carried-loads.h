// What the next trip of a loop would load where this one has stored or loaded it, `c[x - 1]` behind `c[x] =
// …`, is carried over in a register, and loaded once before the loop, if the loop starts at a constant. Not
// in the loop of an unrolling's remainder. So is what an unrolled trip loads from where its copy before has
// stored.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct CarriedLoads : llvm::PassInfoMixin<CarriedLoads> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
