// nvcc inlines whatever is not told otherwise, as long as the function that calls has at most 20000
// instructions then: of 40 calls of a function of 1000 it inlines 19. LLVM goes by the size of what is called
// alone, which is given a limit as high (set_pass_options).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// Cost of what is called, as LLVM counts it, up to which it is inlined.
constexpr int most_inlined_cost = 20000 * 5;

// Before LLVM's inliner: the calls that would make the function larger stay calls.
struct LimitInlining : llvm::PassInfoMixin<LimitInlining> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
