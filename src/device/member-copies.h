// Copies of a struct, which clang writes as memcpy, become copies of its members, as nvcc has them: an int4
// is then read by one instruction of four registers, and the members of a struct that stays in registers are
// seen apart.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct MemberCopies : llvm::PassInfoMixin<MemberCopies> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
