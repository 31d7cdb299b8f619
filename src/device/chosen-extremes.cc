#include "device/chosen-extremes.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

bool has_other_users(const llvm::ICmpInst& comparison) {
    return !llvm::all_of(comparison.users(),
                         [](const llvm::User* user) { return llvm::isa<llvm::SelectInst>(user); });
}

// A comparison of the two that is made before, and not for choices alone.
llvm::ICmpInst* comparison_for(const llvm::MinMaxIntrinsic& extreme, const llvm::DominatorTree& tree) {
    llvm::Value *const a = extreme.getLHS(), *const b = extreme.getRHS();
    for (llvm::User* user : (llvm::isa<llvm::Constant>(a) ? b : a)->users()) {
        auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user);
        if (!comparison || comparison->isEquality() || comparison->isSigned() != extreme.isSigned()) continue;
        const bool same = comparison->getOperand(0) == a && comparison->getOperand(1) == b;
        const bool turned = comparison->getOperand(0) == b && comparison->getOperand(1) == a;
        if ((same || turned) && has_other_users(*comparison) && tree.dominates(comparison, &extreme))
            return comparison;
    }
    return nullptr;
}

}  // namespace

llvm::PreservedAnalyses ChosenExtremes::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
        llvm::ICmpInst* const comparison = extreme ? comparison_for(*extreme, tree) : nullptr;
        if (!comparison) return false;
        const bool least = llvm::ICmpInst::isLT(extreme->getPredicate());
        const bool less = llvm::ICmpInst::isLT(comparison->getPredicate()) ||
                          llvm::ICmpInst::isLE(comparison->getPredicate());
        llvm::Value *const first = comparison->getOperand(0), *const second = comparison->getOperand(1);
        llvm::IRBuilder<> builder(extreme);
        extreme->replaceAllUsesWith(less == least ? builder.CreateSelect(comparison, first, second)
                                                  : builder.CreateSelect(comparison, second, first));
        extreme->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
