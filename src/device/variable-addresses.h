#pragma once

// The address of a variable is put into a register once on each way through the code: where it is needed
// first, and never before a branch only because both of its ways need it, as LLVM's machine code has it.

#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct VariableAddresses : llvm::PassInfoMixin<VariableAddresses> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
