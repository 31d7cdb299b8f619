#include "device/hidden-steps.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <map>

#include "device/changes.h"
#include "device/count-down.h"

namespace lockstep::device {
namespace {

constexpr const char* hides_step = "lockstep.step";
constexpr unsigned shared_memory = 3;

llvm::Instruction* hidden(llvm::Value* value, llvm::Instruction& before) {
    auto* const result = new llvm::FreezeInst(value, "", before.getIterator());
    result->setMetadata(hides_step, llvm::MDNode::get(result->getContext(), {}));
    return result;
}

// Whether the value is arithmetic with a variable of a loop around `loop`.
bool steps_outside(llvm::Value& value, const llvm::Loop& loop, llvm::ScalarEvolution& scev) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || llvm::isa<llvm::PHINode, llvm::FreezeInst>(instruction) ||
        loop.contains(instruction) || !loop.getParentLoop()->contains(instruction) ||
        !scev.isSCEVable(value.getType()))
        return false;
    return llvm::SCEVExprContains(
        scev.getSCEV(&value), [](const llvm::SCEV* part) { return llvm::isa<llvm::SCEVAddRecExpr>(part); });
}

bool hide_outer_steps(llvm::Loop& loop, llvm::ScalarEvolution& scev) {
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    if (!before || loop.isOutermost()) return false;
    std::map<llvm::Value*, llvm::Instruction*> places;
    for (llvm::BasicBlock* block : loop.blocks())
        for (llvm::Instruction& instruction : *block)
            for (llvm::Use& use : instruction.operands()) {
                if (llvm::isa<llvm::PHINode>(instruction) || !steps_outside(*use, loop, scev)) continue;
                llvm::Instruction*& place = places[use.get()];
                if (!place) place = hidden(use.get(), *before->getTerminator());
                use.set(place);
            }
    return !places.empty();
}

// Whether it steps with the loop, by what only runs tell, and may wrap.
bool steps_unsteadily(llvm::Value& index, const llvm::Loop& loop, llvm::ScalarEvolution& scev) {
    const llvm::SCEV* value = scev.getSCEV(&index);
    if (const auto* wide = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(value)) value = wide->getOperand();
    const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
    return steps && steps->getLoop() == &loop && !steps->hasNoSignedWrap() &&
           !llvm::isa<llvm::SCEVConstant>(steps->getStepRecurrence(scev));
}

bool hide_shared_steps(llvm::Loop& loop, llvm::ScalarEvolution& scev) {
    // Where trips can be counted, the index does not wrap.
    if (llvm::getBooleanLoopAttribute(&loop, has_remainder)) return false;
    bool changed = false;
    for (llvm::BasicBlock* block : loop.blocks())
        for (llvm::Instruction& instruction : *block) {
            auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
            if (!element || element->getPointerAddressSpace() != shared_memory) continue;
            for (llvm::Use& index : element->indices())
                if (steps_unsteadily(*index, loop, scev)) {
                    index.set(hidden(index, *element));
                    changed = true;
                }
        }
    return changed;
}

bool hide_remainders(llvm::Loop& loop) {
    bool changed = false;
    for (llvm::BasicBlock* block : loop.blocks())
        for (llvm::Instruction& instruction : *block)
            if (instruction.getOpcode() == llvm::Instruction::URem ||
                instruction.getOpcode() == llvm::Instruction::SRem) {
                instruction.setOperand(0, hidden(instruction.getOperand(0), instruction));
                changed = true;
            }
    return changed;
}

}  // namespace

bool is_hidden_step(const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && instruction->hasMetadata(hides_step);
}

llvm::PreservedAnalyses HideSteps::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    bool changed = false;
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        if (!loop->isInnermost()) continue;
        changed |= hide_outer_steps(*loop, scev);
        changed |= hide_shared_steps(*loop, scev);
        changed |= hide_remainders(*loop);
    }
    return same_branches(changed);
}

llvm::PreservedAnalyses ShowSteps::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        if (!is_hidden_step(instruction)) return false;
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
