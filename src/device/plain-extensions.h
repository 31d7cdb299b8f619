// What is loaded by way of the texture cache (`ld.global.nc`, of a `const __restrict__` parameter) is extended in
// the block that needs it so, beside the address that it is part of: LLVM extends it behind the load, in another
// block. To nvcc such loads are functions of its own, which it leaves alone; others it extends as LLVM does.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct PlainExtensions : llvm::PassInfoMixin<PlainExtensions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
