// Cuts long basic blocks into pieces that the code generator leaves apart.
//
// It selects and schedules instructions block by block, and looks at a block's memory accesses in pairs: one
// block of 500 loads took 8 s.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::exec::jit {

struct BlockCutsPass : llvm::PassInfoMixin<BlockCutsPass> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::exec::jit
