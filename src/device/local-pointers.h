// What lies on the stack is local memory, also where a pointer is one of several variables'. LLVM's generator of
// PTX says so of each variable's own accesses only, and not if it is one of several anywhere.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// To be run before LLVM's inference of address spaces.
struct LocalPointers : llvm::PassInfoMixin<LocalPointers> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
