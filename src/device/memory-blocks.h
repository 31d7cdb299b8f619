// What is left of memcpy and memset, in the words and loops that nvcc makes of them, and local arrays aligned
// as its are, so that neighbouring accesses become one of a vector.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct MemoryBlocks : llvm::PassInfoMixin<MemoryBlocks> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
