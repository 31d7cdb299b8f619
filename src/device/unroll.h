// Loops are unrolled as nvcc unrolls them: its limits and factors, found by what it makes of small kernels
// (docs/device-compiler.md).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// A device function that reads or writes memory is unrolled where it has been inlined; one that does not,
// before.
bool awaits_inlining(llvm::Function& function);

struct Unroll : llvm::PassInfoMixin<Unroll> {
    enum Extent {
        any,
        asked,      // only innermost loops that the source has a #pragma unroll for
        full,       // only loops of which nothing is left
        uninlined,  // those of functions that have waited for it
    };
    explicit Unroll(Extent extent) : extent(extent) {}
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  private:
    Extent extent;
};

}  // namespace lockstep::device
