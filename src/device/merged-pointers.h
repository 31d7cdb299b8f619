// `p = a + n; p[i]` is `a[n + i]`.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// Where a pointer that was made by an index is only indexed again, each variable index is added to its own:
// nvcc keeps the sum of the indices, not the pointer between. One that is also read or written through stays.
struct MergedPointers : llvm::PassInfoMixin<MergedPointers> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
