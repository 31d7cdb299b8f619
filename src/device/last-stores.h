// A device function returns from where it stands: what both sides of a branch store last before they return
// is not merged behind them until the function has been inlined, and then only where both sides still meet in
// a place of their own. (A kernel's own ends meet.)
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// Frees what inlined functions have kept, and keeps the function's own.
struct KeepLastStores : llvm::PassInfoMixin<KeepLastStores> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct FreeLastStores : llvm::PassInfoMixin<FreeLastStores> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
