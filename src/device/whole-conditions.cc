#include "device/whole-conditions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace lockstep::device {
namespace {

// Of a condition of several parts: from where it ends to where it begins.
using Entries = llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*>;

llvm::BasicBlock* entry_of(llvm::BasicBlock* end, const Entries& entries) {
    const auto known = entries.find(end);
    return known == entries.end() ? end : known->second;
}

llvm::BranchInst* two_way(llvm::BasicBlock* block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch
                                                                                                   : nullptr;
}

// Whether a block takes the same values from both.
bool same_values(const llvm::BasicBlock& block, const llvm::BasicBlock* one, const llvm::BasicBlock* other) {
    return llvm::all_of(block.phis(), [&](const llvm::PHINode& phi) {
        return phi.getIncomingValueForBlock(one) == phi.getIncomingValueForBlock(other);
    });
}

// `first && second` or `first || second`: a block `last` that ends the second part, which begins at its entry
// and is reached from the first part only, and both go to the same place.
bool join_parts(llvm::BasicBlock* last, Entries& entries) {
    llvm::BranchInst* second = two_way(last);
    if (!second) return false;
    llvm::BasicBlock* entry = entry_of(last, entries);
    llvm::BasicBlock* begin = entry->getSinglePredecessor();
    llvm::BranchInst* first = begin ? two_way(begin) : nullptr;
    if (!first || begin == last) return false;
    llvm::BasicBlock* shared =
        first->getSuccessor(0) == entry ? first->getSuccessor(1) : first->getSuccessor(0);
    if (shared == entry || (shared != second->getSuccessor(0) && shared != second->getSuccessor(1)))
        return false;
    if (!same_values(*shared, begin, last)) return false;

    llvm::BasicBlock* meet =
        llvm::BasicBlock::Create(last->getContext(), "", last->getParent(), last->getNextNode());
    llvm::IRBuilder<> builder(meet);
    builder.SetCurrentDebugLocation(second->getDebugLoc());
    llvm::PHINode* value = builder.CreatePHI(builder.getInt1Ty(), 2);
    value->addIncoming(builder.getInt1(shared == second->getSuccessor(0)), begin);
    value->addIncoming(second->getCondition(), last);
    builder.CreateCondBr(value, second->getSuccessor(0), second->getSuccessor(1));
    for (llvm::BasicBlock* target : {second->getSuccessor(0), second->getSuccessor(1)})
        target->replacePhiUsesWith(last, meet);
    for (llvm::PHINode& phi : shared->phis()) phi.removeIncomingValue(begin, false);
    first->setSuccessor(first->getSuccessor(0) == shared ? 0 : 1, meet);
    llvm::ReplaceInstWithInst(second, llvm::BranchInst::Create(meet));
    entries[meet] = entry_of(begin, entries);
    return true;
}

void join_conditions(llvm::Function& function) {
    Entries entries;
    const auto join_one = [&] {
        return llvm::any_of(function, [&](llvm::BasicBlock& block) { return join_parts(&block, entries); });
    };
    while (join_one()) {
    }
}

// `a ? b : c`, which clang computes without a branch where both sides are cheap.
void branch_for_choices(llvm::Function& function) {
    std::vector<llvm::SelectInst*> choices;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
            if (choice->getCondition()->getType()->isIntegerTy(1)) choices.push_back(choice);
    for (llvm::SelectInst* choice : choices) {
        llvm::Instruction* yes = nullptr;
        llvm::Instruction* no = nullptr;
        llvm::SplitBlockAndInsertIfThenElse(choice->getCondition(), choice->getIterator(), &yes, &no);
        llvm::PHINode* value = llvm::PHINode::Create(choice->getType(), 2, "", choice->getIterator());
        value->addIncoming(choice->getTrueValue(), yes->getParent());
        value->addIncoming(choice->getFalseValue(), no->getParent());
        choice->replaceAllUsesWith(value);
        choice->eraseFromParent();
    }
}

struct LoopEdits {
    // Where `continue` goes, and from where.
    std::vector<std::pair<llvm::BasicBlock*, std::vector<llvm::BasicBlock*>>> continues;
    // From a condition to where `break` goes.
    std::vector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> ends;
};

LoopEdits find_edits(llvm::LoopInfo& loops) {
    LoopEdits edits;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
        llvm::BasicBlock* header = loop->getHeader();
        llvm::BasicBlock* latch = loop->getLoopLatch();
        llvm::SmallVector<llvm::BasicBlock*> turns;
        loop->getLoopLatches(turns);
        if (turns.size() > 1)
            edits.continues.emplace_back(header, std::vector<llvm::BasicBlock*>(turns.begin(), turns.end()));
        else if (latch != header && !latch->hasNPredecessors(1))
            edits.continues.emplace_back(
                latch, std::vector<llvm::BasicBlock*>(llvm::pred_begin(latch), llvm::pred_end(latch)));
        for (llvm::BasicBlock* block : {header, latch})
            if (llvm::BranchInst* branch = block ? two_way(block) : nullptr)
                for (llvm::BasicBlock* target : branch->successors())
                    if (!loop->contains(target) && !target->hasNPredecessors(1))
                        edits.ends.emplace_back(block, target);
    }
    return edits;
}

void complete_loops(llvm::Function& function) {
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    const LoopEdits edits = find_edits(loops);
    for (const auto& [target, before] : edits.continues)
        llvm::SplitBlockPredecessors(target, before, ".continue");
    for (const auto& [condition, end] : edits.ends)
        if (llvm::is_contained(llvm::successors(condition), end)) {
            llvm::BasicBlock* block = llvm::SplitBlockPredecessors(end, {condition}, ".end");
            block->moveBefore(end);
        }
}

}  // namespace

llvm::PreservedAnalyses WholeConditions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (function.isDeclaration()) return llvm::PreservedAnalyses::all();
    join_conditions(function);
    complete_loops(function);
    branch_for_choices(function);
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
