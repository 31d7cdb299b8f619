// What strength reduction is not to know, so that it leaves things where nvcc does.
// - What an inner loop takes from the trip of the loop around it, `i * m` in `a[i * m + j]`, is computed in each
//   of those trips: only the innermost loop's addresses step. LLVM would add variables that step with the outer
//   loop.
// - Where a loop's step is known only to runs (`i += blockDim.x`), an address in shared memory is made of the
//   index in each trip, as any other address is if the index may wrap; only LLVM sees that 32 bits wrap like the
//   index.
// - A remainder does not step. LLVM takes it for a step less a multiple, in 64 bits.
#pragma once
#include <llvm/IR/PassManager.h>

namespace llvm {
class Value;
}  // namespace llvm

namespace lockstep::device {

// Whether the value stands for one that is hidden.
bool is_hidden_step(const llvm::Value& value);

struct HideSteps : llvm::PassInfoMixin<HideSteps> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct ShowSteps : llvm::PassInfoMixin<ShowSteps> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
