#include "device/early-choices.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace lockstep::device {
namespace {

// Whether two sides of a branch that compares with a constant meet in the block.
bool ends_choice(llvm::BasicBlock& block) {
    if (block.phis().empty() || !block.hasNPredecessors(2)) return false;
    const auto head_of = [&](llvm::BasicBlock* side) {
        llvm::BasicBlock* const before = side->getSinglePredecessor();
        return side->getSingleSuccessor() && before ? before : side;
    };
    const auto sides = llvm::to_vector(llvm::predecessors(&block));
    llvm::BasicBlock* const head = head_of(sides[0]);
    if (head != head_of(sides[1])) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(head->getTerminator());
    const auto* comparison =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    return comparison && comparison->isEquality() && llvm::isa<llvm::ConstantInt>(comparison->getOperand(1));
}

// What both sides may compute that is not needed then: nvcc's limit here. LLVM has it as an option of the
// command line only, and all else goes by the option's own value.
constexpr unsigned most_work = 5;

class WorkLimit {
  public:
    WorkLimit() : before_(option()) { option() = most_work; }
    ~WorkLimit() { option() = before_; }
    WorkLimit(const WorkLimit&) = delete;
    WorkLimit& operator=(const WorkLimit&) = delete;

  private:
    static unsigned& option() {
        llvm::cl::Option* const found =
            llvm::cl::getRegisteredOptions().lookup("two-entry-phi-node-folding-threshold");
        return static_cast<llvm::cl::opt<unsigned>*>(found)->getValue();
    }
    unsigned before_;
};

}  // namespace

llvm::PreservedAnalyses EarlyChoices::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const WorkLimit limit;
    const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
    std::vector<llvm::WeakVH> blocks;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
        blocks.emplace_back(block);
    bool changed = false;
    const auto block_of = [](const llvm::WeakVH& handle) {
        return llvm::cast_or_null<llvm::BasicBlock>(static_cast<llvm::Value*>(handle));
    };
    for (const llvm::WeakVH& handle : blocks) {
        llvm::BasicBlock* const block = block_of(handle);
        if (!block || !ends_choice(*block) || !llvm::simplifyCFG(block, target)) continue;
        changed = true;
        llvm::removeUnreachableBlocks(function);
        // The choice is part of a side of the one around it.
        if (llvm::BasicBlock* const rest = block_of(handle)) llvm::MergeBlockIntoPredecessor(rest);
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
