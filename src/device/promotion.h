// Memory that a loop reads and writes again and again is kept in a register. nvcc does so at two times:
// before loops are unrolled where the memory is nobody else's, and is written once behind the loop; and
// afterwards where other reads of the loop may see what it writes, and only its own are spared. So the rest
// of an unrolled loop reads such memory once more.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class LPMUpdater;
class Loop;
}  // namespace llvm

namespace lockstep::device {

class Promotion : public llvm::PassInfoMixin<Promotion> {
  public:
    enum Kind { alone, any };
    explicit Promotion(Kind kind) : kind_(kind) {}
    llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);

  private:
    Kind kind_;
};

}  // namespace lockstep::device
