// What nvcc takes to be the same memory, where LLVM would know better.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// A store of any type may change what a load of any other type reads.
struct UntypedMemory : llvm::PassInfoMixin<UntypedMemory> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// `a[i] = b[i]` may change b[i], though to nothing but what it is: LLVM does not see what is stored there until
// the copies are shown again.
struct HideCopies : llvm::PassInfoMixin<HideCopies> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};
struct ShowCopies : llvm::PassInfoMixin<ShowCopies> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
