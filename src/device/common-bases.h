// Elements of one array whose indices differ by constants have one address between them: a[i - 1] and a[i +
// 1] lie two elements apart, wherever they are. One alone has its constant in the index, if it is negative or
// the index a longer sum.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct CommonBases : llvm::PassInfoMixin<CommonBases> {
    enum Indices {
        all,
        products,  // only those that strength reduction is to leave alone: may_wrap in wide-index.h
    };
    explicit CommonBases(Indices indices) : indices(indices) {}
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  private:
    Indices indices;
};

}  // namespace lockstep::device
