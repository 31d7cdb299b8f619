// Blocks in the order in which PTX is to have them: a block before those it leads to, a loop's blocks
// together and what follows the loop behind them. LLVM turns a branch round only where its target is the next
// block of its input, and for PTX cannot do so later; so a loop then ends in one branch back, as nvcc's do.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct BlockOrder : llvm::PassInfoMixin<BlockOrder> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
