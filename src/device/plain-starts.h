// An address that steps through an array from its start, or from the start of an outer loop's row, is that of
// the first element which a trip reads, `[p]` and `[p+4]`: LLVM starts at another, from which on `[p-8]` and
// `[p+4]` are reached, with an addition before the loop. Neighbours may then also be one vector, whose
// alignment is known.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct PlainStarts : llvm::PassInfoMixin<PlainStarts> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
