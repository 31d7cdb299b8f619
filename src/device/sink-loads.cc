#include "device/sink-loads.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"
#include "device/vectors.h"

namespace lockstep::device {
namespace {

// The one of the block's successors that all uses of the load lie behind, if there is one.
llvm::BasicBlock* side_of(llvm::Instruction& load, const llvm::DominatorTree& tree) {
    for (llvm::BasicBlock* side : llvm::successors(load.getParent())) {
        if (side->getSinglePredecessor() != load.getParent()) continue;
        const llvm::BasicBlockEdge edge(load.getParent(), side);
        if (llvm::all_of(load.uses(), [&](const llvm::Use& use) { return tree.dominates(edge, use); }))
            return side;
    }
    return nullptr;
}

// Whether a loop's variable starts with the value.
bool starts_variable(const llvm::Instruction& value, const llvm::LoopInfo& loops) {
    return llvm::any_of(value.users(), [&](const llvm::User* user) {
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        return phi && loops.isLoopHeader(phi->getParent());
    });
}

// Whether others of the same vector stay: it is loaded as a whole.
bool is_kept(llvm::LoadInst& load, llvm::BasicBlock& side, const llvm::DominatorTree& tree) {
    const auto part = marked_vector_part(load);
    return part && llvm::any_of(*load.getParent(), [&](llvm::Instruction& instruction) {
               auto* other = llvm::dyn_cast<llvm::LoadInst>(&instruction);
               if (!other || other->use_empty()) return false;
               const auto own = marked_vector_part(*other);
               return own && own->same_vector(*part) && side_of(*other, tree) != &side;
           });
}

// What an instruction that loads does, too.
bool widens_load(llvm::Instruction& instruction) {
    if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction) || instruction.use_empty()) return false;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction.getOperand(0));
    return load && load->hasOneUse() && load->isSimple() && load->getParent() == instruction.getParent();
}

// Of loads alone, which it goes with.
bool is_address(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::GetElementPtrInst>(instruction) && !instruction.use_empty() &&
           llvm::all_of(instruction.users(),
                        [](const llvm::User* user) { return llvm::isa<llvm::LoadInst>(user); });
}

// `loops` where a loop's guard is to be passed only by what no variable starts with.
bool sink(llvm::BasicBlock& block, const llvm::DominatorTree& tree, const llvm::LoopInfo* loops) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional()) return false;
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (instruction.mayWriteToMemory()) break;
        if (widens_load(instruction) || is_address(instruction)) {
            if (llvm::BasicBlock* side = side_of(instruction, tree)) {
                instruction.moveBefore(*side, side->getFirstInsertionPt());
                changed = true;
            }
            continue;
        }
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || !load->isSimple() || load->use_empty()) continue;
        if (loops && starts_variable(*load, *loops)) continue;
        if (llvm::BasicBlock* side = side_of(*load, tree); side && !is_kept(*load, *side, tree)) {
            load->moveBefore(*side, side->getFirstInsertionPt());
            changed = true;
        }
    }
    return changed;
}

llvm::BasicBlock* block_of(const llvm::Use& use) {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi ? phi->getIncomingBlock(use) : user->getParent();
}

// Where all uses of a value lie behind, if they lie in one block: one side of the branch, or where both have
// met again.
llvm::BasicBlock* place_of(llvm::Instruction& value, const llvm::DominatorTree& tree,
                           const llvm::LoopInfo& loops) {
    const llvm::BasicBlock* const block = value.getParent();
    const llvm::BasicBlock* const users = block_of(*value.use_begin());
    if (!llvm::all_of(value.uses(), [&](const llvm::Use& use) { return block_of(use) == users; }))
        return nullptr;
    for (const llvm::DomTreeNode* node : tree.getNode(block)->children()) {
        llvm::BasicBlock* const place = node->getBlock();
        if (!tree.dominates(place, users)) continue;
        if (place->getUniquePredecessor() == block) return place;
        const llvm::Loop* const loop = loops.getLoopFor(place);
        const bool enters = loop && loop != loops.getLoopFor(block);
        return enters || value.mayReadFromMemory() ? nullptr : place;
    }
    return nullptr;
}

bool is_pure(const llvm::Instruction& instruction) {
    if (instruction.isTerminator() || instruction.use_empty()) return false;
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isEHPad()) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return !instruction.mayHaveSideEffects() && !(call && call->isConvergent());
}

bool sink_values(llvm::BasicBlock& block, const llvm::DominatorTree& tree, const llvm::LoopInfo& loops) {
    bool changed = false, written = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
        written |= instruction.mayWriteToMemory();
        if (!is_pure(instruction) || (instruction.mayReadFromMemory() && written)) continue;
        llvm::BasicBlock* const place = place_of(instruction, tree, loops);
        if (!place) continue;
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load && is_kept(*load, *place, tree)) continue;
        instruction.moveBefore(*place, place->getFirstInsertionPt());
        changed = true;
    }
    return changed;
}

}  // namespace

llvm::PreservedAnalyses SinkValues::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    bool changed = false;
    for (const llvm::DomTreeNode* node : llvm::depth_first(tree.getRootNode()))
        changed |= sink_values(*node->getBlock(), tree, loops);
    return same_branches(changed);
}

llvm::PreservedAnalyses SinkLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    const auto* loops = past_guards ? &analyses.getResult<llvm::LoopAnalysis>(function) : nullptr;
    bool changed = false;
    // From the top, so that a load can go down through several branches.
    for (const llvm::DomTreeNode* node : llvm::depth_first(tree.getRootNode()))
        changed |= sink(*node->getBlock(), tree, loops);
    return same_branches(changed);
}

}  // namespace lockstep::device
