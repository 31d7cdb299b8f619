// An address that steps through an array from its start, or from the start of an outer loop's row, is that of
// the first element which a trip reads, `[p]` and `[p+4]`: LLVM starts at another, from which on `[p-8]` and
// `[p+4]` are reached, with an addition before the loop. Neighbours may then also be one vector, whose
// alignment is known. In the main part of a loop that has its remainder behind it, it is so wherever the
// address starts; in one with the remainder before it `p + 8` is where nvcc starts, and what is added is part
// of the array's address before the outermost loop.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct PlainStarts : llvm::PassInfoMixin<PlainStarts> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
