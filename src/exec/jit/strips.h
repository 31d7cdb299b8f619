// Long stretches of operations on whole warps become loops over strips: as many lanes as the CPU's vector
// registers hold.
//
// A value of 32 lanes takes eight NEON or SSE registers. Where more than a few of them live at a time, the
// code consists of spills, and its size, which is what compile time follows, is eight instructions an
// operation. In a loop over strips a value is one register.
#pragma once
#include <llvm/IR/PassManager.h>

#include "exec/warp-context.h"

namespace lockstep::exec::jit {

struct StripsPass : llvm::PassInfoMixin<StripsPass> {
    explicit StripsPass(int lanes = warp_lanes) : lanes(lanes) {}
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

    int lanes;  // of a warp
};

}  // namespace lockstep::exec::jit
