#include "device/branches.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace lockstep::device {
namespace {

// Where an edge from `from` to `to` leads when blocks with nothing in them are left out, and from which block
// it gets there.
struct Way {
    llvm::BasicBlock* end;
    llvm::BasicBlock* from;
};

Way way_of(llvm::BasicBlock* from, llvm::BasicBlock* to) {
    const auto* jump = llvm::dyn_cast<llvm::BranchInst>(&*to->getFirstNonPHIOrDbg());
    const bool empty = jump && jump->isUnconditional() && to->phis().empty() && jump->getSuccessor(0) != to;
    return empty ? Way{jump->getSuccessor(0), to} : Way{to, from};
}

// More would be more work than the branch.
constexpr unsigned most_selects = 2;

bool select_values(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
        return false;
    const Way yes = way_of(&block, branch->getSuccessor(0)), no = way_of(&block, branch->getSuccessor(1));
    // Where each way has a block of its own, LLVM does it.
    if (yes.end != no.end || yes.from == no.from || yes.end == &block) return false;
    const auto phis = yes.end->phis();
    if (phis.empty() || std::distance(phis.begin(), phis.end()) > most_selects) return false;
    llvm::IRBuilder<> builder(branch);
    for (llvm::PHINode& phi : phis) {
        llvm::Value* value =
            builder.CreateSelect(branch->getCondition(), phi.getIncomingValueForBlock(yes.from),
                                 phi.getIncomingValueForBlock(no.from));
        if (const int at = phi.getBasicBlockIndex(&block); at >= 0)
            phi.setIncomingValue(static_cast<unsigned>(at), value);
        else
            phi.addIncoming(value, &block);
    }
    builder.CreateBr(yes.end);
    branch->eraseFromParent();
    return true;
}

// What the condition is when `block` is entered from `before`, if that is known.
std::optional<bool> known_condition(llvm::BranchInst& branch, llvm::BasicBlock* before) {
    llvm::Value* condition = branch.getCondition();
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(condition);
        phi && phi->getParent() == branch.getParent())
        condition = phi->getIncomingValueForBlock(before);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(condition)) return constant->isOne();
    const llvm::BasicBlock* decided = before->getSinglePredecessor();
    const auto* decision = decided ? llvm::dyn_cast<llvm::BranchInst>(decided->getTerminator()) : nullptr;
    if (!decision || decision->isUnconditional() || decision->getCondition() != condition ||
        decision->getSuccessor(0) == decision->getSuccessor(1))
        return {};
    return decision->getSuccessor(0) == before;
}

bool thread_branch(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional() || branch != &*block.getFirstNonPHIOrDbg() ||
        branch->getSuccessor(0) == &block || branch->getSuccessor(1) == &block ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
        return false;
    // Values of the block may be asked for only by what comes directly behind it, which can tell the ways
    // apart.
    for (llvm::PHINode& phi : block.phis())
        for (const llvm::Use& use : phi.uses()) {
            const auto* user = llvm::dyn_cast<llvm::PHINode>(use.getUser());
            const bool is_direct = user && user->getIncomingBlock(use) == &block;
            if (use.getUser() != branch && !is_direct) return false;
        }
    bool changed = false;
    for (llvm::BasicBlock* before : llvm::SmallVector<llvm::BasicBlock*>(llvm::predecessors(&block))) {
        const auto* jump = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
        if (!jump || jump->isConditional()) continue;
        const auto known = known_condition(*branch, before);
        if (!known) continue;
        llvm::BasicBlock* target = branch->getSuccessor(*known ? 0 : 1);
        for (llvm::PHINode& phi : target->phis()) {
            llvm::Value* value = phi.getIncomingValueForBlock(&block);
            if (auto* inner = llvm::dyn_cast<llvm::PHINode>(value); inner && inner->getParent() == &block)
                value = inner->getIncomingValueForBlock(before);
            phi.addIncoming(value, before);
        }
        before->getTerminator()->setSuccessor(0, target);
        block.removePredecessor(before, true);
        changed = true;
    }
    return changed;
}

bool make_last_case_default(llvm::SwitchInst& chosen) {
    if (chosen.getNumCases() < 2 ||
        !llvm::isa<llvm::UnreachableInst>(chosen.getDefaultDest()->getFirstNonPHIOrDbg()))
        return false;
    auto last = chosen.case_begin();
    for (auto it = chosen.case_begin(); it != chosen.case_end(); ++it)
        if (it->getCaseValue()->getValue().sgt(last->getCaseValue()->getValue())) last = it;
    llvm::BasicBlock* target = last->getCaseSuccessor();
    chosen.getDefaultDest()->removePredecessor(chosen.getParent());
    chosen.setDefaultDest(target);
    chosen.removeCase(last);
    return true;
}

template <class Change>
llvm::PreservedAnalyses for_blocks(llvm::Function& function, Change change) {
    bool changed = false;
    for (llvm::BasicBlock& block : function) changed |= change(block);
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace

// Blocks that nothing leads to any more are left to LLVM.
llvm::PreservedAnalyses SelectValues::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return for_blocks(function, select_values);
}

llvm::PreservedAnalyses ThreadBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return for_blocks(function, thread_branch);
}

llvm::PreservedAnalyses LastCaseIsDefault::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return for_blocks(function, [](llvm::BasicBlock& block) {
        auto* chosen = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
        return chosen && make_last_case_default(*chosen);
    });
}

}  // namespace lockstep::device
