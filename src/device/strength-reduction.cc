#include "device/strength-reduction.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopStrengthReduce.h>

namespace lockstep::device {
namespace {

// What the target says of addresses, but a 32-bit variable is no half of a 64-bit one: an index of bytes
// would step in 64 bits, since it is a distance too, and each trip add it to the array.
class WholeVariables : public llvm::TargetTransformInfoImplCRTPBase<WholeVariables> {
  public:
    WholeVariables(const llvm::TargetTransformInfo& target, const llvm::DataLayout& layout)
        : TargetTransformInfoImplCRTPBase(layout), target_(target) {}
    bool isTruncateFree(llvm::Type*, llvm::Type*) const { return false; }
    bool isLegalAddImmediate(int64_t value) const { return target_.isLegalAddImmediate(value); }
    bool isLegalICmpImmediate(int64_t value) const { return target_.isLegalICmpImmediate(value); }
    bool isLegalAddressingMode(llvm::Type* type, llvm::GlobalValue* variable, int64_t offset, bool base,
                               int64_t scale, unsigned space, llvm::Instruction* access = nullptr,
                               int64_t = 0) const {
        return target_.isLegalAddressingMode(type, variable, offset, base, scale, space, access);
    }
    llvm::InstructionCost getScalingFactorCost(llvm::Type* type, llvm::GlobalValue* variable,
                                               llvm::StackOffset offset, bool base, int64_t scale,
                                               unsigned space) const {
        return target_.getScalingFactorCost(type, variable, offset, base, scale, space);
    }

  private:
    const llvm::TargetTransformInfo& target_;
};

}  // namespace

bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& scev) {
    const llvm::BasicBlock* const exiting = loop.getExitingBlock();
    const auto* branch = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
    const auto* comparison =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!comparison) return false;
    const auto steps = [&](llvm::Value* value) {
        if (!scev.isSCEVable(value->getType())) return false;
        const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev.getSCEV(value));
        return recurrence && recurrence->getLoop() == &loop;
    };
    return steps(comparison->getOperand(0)) || steps(comparison->getOperand(1));
}

llvm::PreservedAnalyses StrengthReduction::run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                               llvm::LoopStandardAnalysisResults& results,
                                               llvm::LPMUpdater& updater) {
    if (!is_counted(loop, results.SE)) return llvm::PreservedAnalyses::all();
    llvm::TargetTransformInfo target(WholeVariables(results.TTI, loop.getHeader()->getDataLayout()));
    llvm::LoopStandardAnalysisResults others{results.AA,  results.AC, results.DT,  results.LI,  results.SE,
                                             results.TLI, target,     results.BFI, results.BPI, results.MSSA};
    return llvm::LoopStrengthReducePass().run(loop, analyses, others, updater);
}

}  // namespace lockstep::device
