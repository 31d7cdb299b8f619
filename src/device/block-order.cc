#include "device/block-order.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace lockstep::device {
namespace {

using llvm::BasicBlock;

// Successors in the order in which a search that notes blocks from the last to the first takes them: those
// that leave most loops first, so that they are noted behind all of the loop; of equals the last first.
llvm::SmallVector<BasicBlock*> successors_last_first(BasicBlock& block, const llvm::LoopInfo& loops) {
    llvm::SmallVector<BasicBlock*> result(llvm::reverse(llvm::successors(&block)));
    llvm::stable_sort(
        result, [&](BasicBlock* a, BasicBlock* b) { return loops.getLoopDepth(a) < loops.getLoopDepth(b); });
    return result;
}

llvm::SmallVector<BasicBlock*> order(llvm::Function& function, const llvm::LoopInfo& loops) {
    struct Place {
        BasicBlock* block;
        llvm::SmallVector<BasicBlock*> successors;
        std::size_t next = 0;
    };
    llvm::SmallVector<BasicBlock*> last_first;
    llvm::SmallPtrSet<BasicBlock*, 32> seen;
    llvm::SmallVector<Place> path;
    const auto enter = [&](BasicBlock& block) {
        if (seen.insert(&block).second) path.push_back({&block, successors_last_first(block, loops)});
    };
    enter(function.getEntryBlock());
    while (!path.empty()) {
        Place& place = path.back();
        if (place.next < place.successors.size()) {
            enter(*place.successors[place.next++]);
        } else {
            last_first.push_back(place.block);
            path.pop_back();
        }
    }
    return last_first;
}

// Blocks with nothing in them are left out when code is made.
bool is_empty(BasicBlock& block) {
    BasicBlock* const next = block.getSingleSuccessor();
    return block.sizeWithoutDebug() == 1 && next && next != &block;
}

BasicBlock* first_with_code(BasicBlock* block) {
    while (block && is_empty(*block)) block = block->getNextNode();
    return block;
}

BasicBlock* end_of_way(BasicBlock* block) {
    llvm::SmallPtrSet<BasicBlock*, 4> seen;  // a way of such blocks may have no end
    while (is_empty(*block) && seen.insert(block).second) block = block->getSingleSuccessor();
    return block;
}

// A loop that what follows does not lie behind ends in a conditional branch back, and a jump.
void branch_back(BasicBlock& block, const llvm::LoopInfo& loops) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const llvm::Loop* const loop = loops.getLoopFor(&block);
    if (!branch || branch->isUnconditional() || !loop || branch->getSuccessor(1) != loop->getHeader() ||
        end_of_way(branch->getSuccessor(0)) == first_with_code(block.getNextNode()))
        return;
    auto* const condition = llvm::dyn_cast<llvm::CmpInst>(branch->getCondition());
    if (!condition || !condition->hasOneUse()) return;
    condition->setPredicate(condition->getInversePredicate());
    branch->swapSuccessors();
}

}  // namespace

llvm::PreservedAnalyses BlockOrder::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (llvm::removeUnreachableBlocks(function))
        analyses.invalidate(function, llvm::PreservedAnalyses::none());
    const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    BasicBlock* next = nullptr;
    for (BasicBlock* block : order(function, loops)) {
        if (next) block->moveBefore(next);
        next = block;
    }
    for (BasicBlock& block : function) branch_back(block, loops);
    return llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
