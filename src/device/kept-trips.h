// `while (a != p[a]) a = p[a];` is tested once before the loop and then behind each trip, though nothing is
// left of the trip when both loads are one: nvcc merges them only after it has turned loops over. Such a trip
// is kept until then.
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

struct KeepTrips : llvm::PassInfoMixin<KeepTrips> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct FreeTrips : llvm::PassInfoMixin<FreeTrips> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
