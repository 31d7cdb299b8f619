#include "device/branches.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

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

llvm::PreservedAnalyses LastCaseIsDefault::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return for_blocks(function, [](llvm::BasicBlock& block) {
        auto* chosen = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
        return chosen && make_last_case_default(*chosen);
    });
}

}  // namespace lockstep::device
