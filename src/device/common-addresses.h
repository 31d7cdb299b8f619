// An address that several blocks compute is computed once, in the block on the way to all of them.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct CommonAddresses : llvm::PassInfoMixin<CommonAddresses> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
