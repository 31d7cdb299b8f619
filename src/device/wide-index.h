// A signed 32-bit index that steps through an array with its loop is computed in 64 bits, so that the address
// can step instead. Signed arithmetic may not overflow, so both are the same; LLVM does not see that where
// the index is a sum.
#pragma once
#include <llvm/IR/PassManager.h>

namespace llvm {
class Value;
}  // namespace llvm

namespace lockstep::device {

// A product whose constant LLVM has taken out of it: (i + 1) * 3 is i * 3 + 3, either of which may wrap then.
// An index with one stays as it is. (Twice something never does so, with nvcc.)
bool may_wrap(const llvm::Value& value);

struct WideIndex : llvm::PassInfoMixin<WideIndex> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
