// Where code does what C++ leaves undefined though the hardware does something: indices beyond an array that
// is part of something larger, and signed numbers that overflow. Only the source's types know, so it is
// marked in the IR as clang makes it, by calls that no pass understands; what can be proved to be in order is
// dropped with the code around it, and the rest becomes events (ptx/check-events.h).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lockstep::device {

// An index of an array type, but for what is an array of shared memory as a whole: its range is known anyway.
struct MarkIndices : llvm::PassInfoMixin<MarkIndices> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Sums, differences and products of `int`s and larger.
struct MarkOverflows : llvm::PassInfoMixin<MarkOverflows> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Marks become events.
struct TellMarks : llvm::PassInfoMixin<TellMarks> {
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lockstep::device
