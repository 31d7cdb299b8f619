#include "device/join-branches.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// Behind each access stands something that LLVM does not merge with its like, nor moves other things past.
bool guard(llvm::Function& function) {
    return change_instructions(function, [](llvm::Instruction& instruction) {
        if (!llvm::isa<llvm::LoadInst>(instruction) && !llvm::isa<llvm::StoreInst>(instruction)) return false;
        llvm::IRBuilder<> builder(instruction.getNextNode());
        builder.CreateIntrinsic(llvm::Intrinsic::sideeffect, {}, {})->addFnAttr(llvm::Attribute::NoMerge);
        return true;
    });
}

void unguard(llvm::Function& function) {
    change_instructions(function, [](llvm::Instruction& instruction) {
        const auto* guard = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!guard || guard->getIntrinsicID() != llvm::Intrinsic::sideeffect || !guard->cannotMerge())
            return false;
        instruction.eraseFromParent();
        return true;
    });
}

}  // namespace

llvm::PreservedAnalyses JoinBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto preserved =
        llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().hoistCommonInsts(true)).run(function, analyses);
    analyses.invalidate(function, preserved);
    const bool is_guarded = guard(function);
    preserved.intersect(
        llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)).run(function, analyses));
    unguard(function);
    if (is_guarded) preserved.intersect(same_branches(true));
    return preserved;
}

}  // namespace lockstep::device
