// Where a pointer to an array is cast to one of a larger type, `((float4*)tile)[i]`, the access has the
// larger type's alignment: the programmer says so by the cast, and nvcc takes him at his word. clang goes by
// the array, and would take an int apart into bytes. Members of packed structs stay as they are.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct CastAlignments : llvm::PassInfoMixin<CastAlignments> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
