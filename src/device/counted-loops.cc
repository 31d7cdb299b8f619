#include "device/counted-loops.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>

namespace lockstep::device {
namespace {

llvm::cl::opt<bool>& keeps_comparisons() {
    return *static_cast<llvm::cl::opt<bool>*>(llvm::cl::getRegisteredOptions().lookup("disable-lftr"));
}

}  // namespace

llvm::PreservedAnalyses CountedLoops::run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                          llvm::LoopStandardAnalysisResults& standard,
                                          llvm::LPMUpdater& updater) {
    keeps_comparisons() = llvm::isa<llvm::SCEVCouldNotCompute>(standard.SE.getBackedgeTakenCount(&loop));
    return llvm::IndVarSimplifyPass().run(loop, analyses, standard, updater);
}

}  // namespace lockstep::device
