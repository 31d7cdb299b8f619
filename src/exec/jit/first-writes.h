// Registers begin as zeros, since PTX may read one that nothing has written. Nearly all are written first:
// the pass takes their zeros away.
//
// LLVM's promotion of memory to values is quick for what is stored once or used in one block. With a second
// store, at the beginning, it looks through the whole block for each register: 8,000 registers took 6 s.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::exec::jit {

struct FirstWritesPass : llvm::PassInfoMixin<FirstWritesPass> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::exec::jit
