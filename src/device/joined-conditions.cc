#include "device/joined-conditions.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// On the second branch of two; and on the first of some of which others are the second, `b && c` in `a || (b
// && c)`.
constexpr const char *mark = "lockstep.joined", *group_mark = "lockstep.joined.group";

// Work besides the comparison: `i < n && ((x + y) * x + y) * y < z` is one condition, with `+ x` it is two.
constexpr unsigned most_work = 4;

llvm::BranchInst* condition_of(llvm::BasicBlock& block) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() ? branch : nullptr;
}

// Whether one of the ways from `branch` is one that the branch before it may take at once.
bool shares_way(const llvm::BranchInst& branch) {
    const llvm::BasicBlock* const before = branch.getParent()->getSinglePredecessor();
    const auto* first = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    return first && first->isConditional() &&
           llvm::any_of(first->successors(), [&](const llvm::BasicBlock* way) {
               return llvm::is_contained(branch.successors(), way);
           });
}

void collect_ways(llvm::BranchInst& branch, llvm::SmallPtrSetImpl<llvm::BasicBlock*>& ways) {
    for (llvm::BasicBlock* way : branch.successors()) {
        llvm::BranchInst* const next = way->getSinglePredecessor() ? condition_of(*way) : nullptr;
        if (next && is_joined(*next))
            collect_ways(*next, ways);
        else
            ways.insert(way);
    }
}

// Whether some conditions of which this is the first share a way with the branch before them.
bool group_shares_way(llvm::BranchInst& branch) {
    llvm::BasicBlock* const before = branch.getParent()->getSinglePredecessor();
    llvm::BranchInst* const first = before ? condition_of(*before) : nullptr;
    if (!first) return false;
    llvm::SmallPtrSet<llvm::BasicBlock*, 4> ways;
    collect_ways(branch, ways);
    return llvm::any_of(first->successors(), [&](llvm::BasicBlock* way) { return ways.contains(way); });
}

// In a loop's condition, && is a value first: false on the way from its first part.
bool is_joined_value(const llvm::BranchInst& branch) {
    const auto* value = llvm::dyn_cast<llvm::PHINode>(branch.getCondition());
    return value && value->getParent() == branch.getParent() &&
           llvm::any_of(value->incoming_values(),
                        [](const llvm::Value* part) { return llvm::isa<llvm::ConstantInt>(part); });
}

// A division counts as four operations, and a call as too many.
bool is_little_work(const llvm::BranchInst& branch) {
    unsigned work = 0;
    for (const llvm::Instruction& instruction : branch.getParent()->instructionsWithoutDebug()) {
        if (&instruction == &branch || &instruction == branch.getCondition()) continue;
        if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
            return false;
        work += instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv ? 4 : 1;
    }
    return work <= most_work;
}

}  // namespace

llvm::PreservedAnalyses MarkJoinedConditions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::MDNode* const marked = llvm::MDNode::get(function.getContext(), {});
    for (llvm::BasicBlock& block : llvm::reverse(function)) {
        llvm::BranchInst* const branch = condition_of(block);
        if (!branch) continue;
        if (shares_way(*branch) || is_joined_value(*branch))
            branch->setMetadata(mark, marked);
        else if (group_shares_way(*branch))
            branch->setMetadata(group_mark, marked);
    }
    return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses JoinConditions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::BasicBlock& block : function) {
        llvm::BranchInst* const branch = condition_of(block);
        if (!branch || !branch->hasMetadata(mark)) continue;
        if (is_little_work(*branch))
            changed |= llvm::FoldBranchToCommonDest(branch, nullptr, nullptr, nullptr, most_work);
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

bool is_joined(const llvm::BranchInst& branch) {
    return branch.hasMetadata(mark) || branch.hasMetadata(group_mark);
}

void forget_joined(llvm::BranchInst& branch) {
    branch.setMetadata(mark, nullptr);
    branch.setMetadata(group_mark, nullptr);
}

}  // namespace lockstep::device
