// Which call an instruction was inlined at. PTX can say it (`.loc 1 14 5, inlined_at 1 20 3`), but LLVM 19
// does not write it: inlined places are numbered in the IR, in the columns of the lines, and the numbers are
// spelled out in the text.
#pragma once
#include <llvm/IR/PassManager.h>

#include <string>

namespace lockstep::device {

struct NumberInlinedLines : llvm::PassInfoMixin<NumberInlinedLines> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// The text of PTX that was written for the module.
std::string with_inlined_lines(std::string text, const llvm::Module& module);

}  // namespace lockstep::device
