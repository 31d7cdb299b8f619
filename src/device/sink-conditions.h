// A comparison is made where it is needed first, on each way to those who need it, and not before: in a loop,
// though it is the same in every trip. To be run when blocks are in their order: a branch that goes on with
// what follows needs the inverse.
#pragma once
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
}

namespace lockstep::device {

struct SinkConditions : llvm::PassInfoMixin<SinkConditions> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// LLVM's generator of PTX leaves comparisons where they are then. It takes the machine to have one register
// for conditions, and would make a comparison again in every block that needs it.
void keep_conditions(llvm::TargetMachine& target, const llvm::Module& module);

}  // namespace lockstep::device
