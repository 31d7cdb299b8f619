// Loops that each go on from where the one before has ended: `while (at < n && p[at] == ' ') at++;`, ten of
// them in a row. What LLVM's scalar evolution is asked of the last it asks of each before it, on the way in
// and on the way round, so that its time doubles with each loop. Behind so many that this would be felt, a
// loop's variable starts with a value of which LLVM knows nothing.
#pragma once
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// The variables that have been given such a start: scalar evolution is to forget them.
llvm::SmallVector<llvm::PHINode*> cut_loop_chains(llvm::Function& function, const llvm::LoopInfo& loops);

struct CutLoopChains : llvm::PassInfoMixin<CutLoopChains> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// LLVM's generator of PTX asks scalar evolution, too: the starts stay frozen.
struct FreezeLoopChains : llvm::PassInfoMixin<FreezeLoopChains> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
