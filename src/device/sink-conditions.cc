#include "device/sink-conditions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/CodeGen/TargetLowering.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "device/changes.h"
#include "device/first-blocks.h"

namespace lockstep::device {
namespace {

// Where LLVM's generator turns the branch round, since it goes on with what follows if the comparison holds.
bool wants_inverse(const llvm::Use& use) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(use.getUser());
    return branch && branch->getSuccessor(0) == branch->getParent()->getNextNode();
}

llvm::BasicBlock* block_of(const llvm::Use& use, const llvm::CmpInst& comparison) {
    const auto* needs = llvm::cast<llvm::Instruction>(use.getUser());
    return llvm::isa<llvm::PHINode>(needs) ? const_cast<llvm::BasicBlock*>(comparison.getParent())
                                           : const_cast<llvm::BasicBlock*>(needs->getParent());
}

void place(llvm::CmpInst& comparison, llvm::ArrayRef<llvm::Use*> uses, bool inverse,
           const llvm::DominatorTree& tree) {
    llvm::SmallPtrSet<llvm::BasicBlock*, 8> blocks;
    for (const llvm::Use* use : uses) blocks.insert(block_of(*use, comparison));
    llvm::DenseMap<llvm::BasicBlock*, llvm::CmpInst*> made;
    for (llvm::Use* use : uses) {
        llvm::BasicBlock* const first = first_with(blocks, block_of(*use, comparison), tree);
        llvm::CmpInst*& there = made[first];
        if (!there) {
            there = llvm::cast<llvm::CmpInst>(comparison.clone());
            if (inverse) there->setPredicate(comparison.getInversePredicate());
            there->insertBefore(first == comparison.getParent() ? &comparison
                                                                : &*first->getFirstInsertionPt());
        }
        if (inverse) llvm::cast<llvm::BranchInst>(use->getUser())->swapSuccessors();
        use->set(there);
    }
}

bool sink(llvm::CmpInst& comparison, const llvm::DominatorTree& tree) {
    llvm::SmallVector<llvm::Use*, 8> as_it_is, inverse;
    bool is_local = true;
    for (llvm::Use& use : comparison.uses()) {
        const llvm::BasicBlock* block = block_of(use, comparison);
        if (!tree.isReachableFromEntry(block)) return false;
        is_local &= block == comparison.getParent();
        (wants_inverse(use) ? inverse : as_it_is).push_back(&use);
    }
    if (is_local) return false;
    place(comparison, as_it_is, false, tree);
    place(comparison, inverse, true, tree);
    comparison.eraseFromParent();
    return true;
}

// Targets say so of themselves; LLVM 19's PTX does not.
struct Conditions : llvm::TargetLoweringBase {
    using TargetLoweringBase::setHasMultipleConditionRegisters;
};

}  // namespace

llvm::PreservedAnalyses SinkConditions::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction);
        return comparison && sink(*comparison, tree);
    }));
}

void keep_conditions(llvm::TargetMachine& target, const llvm::Module& module) {
    constexpr auto has_many = &Conditions::setHasMultipleConditionRegisters;
    for (const llvm::Function& function : module)
        if (const auto* machine = target.getSubtargetImpl(function); machine && machine->getTargetLowering())
            (const_cast<llvm::TargetLowering*>(machine->getTargetLowering())->*has_many)(true);
}

}  // namespace lockstep::device
