#include "device/recompute.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <map>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr int deepest = 6;  // operations in a value: a bound on the work

bool is_computed(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) && !instruction.isTerminator() &&
           !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
           !(call && (call->isConvergent() || call->isInlineAsm()));
}

bool are_alike(const llvm::Value* a, const llvm::Value* b, int depth = 0) {
    if (a == b) return true;
    const auto* x = llvm::dyn_cast<llvm::Instruction>(a);
    const auto* y = llvm::dyn_cast<llvm::Instruction>(b);
    if (!x || !y || depth == deepest || !is_computed(*x) || !x->isSameOperationAs(y)) return false;
    for (unsigned i = 0; i < x->getNumOperands(); ++i)
        if (!are_alike(x->getOperand(i), y->getOperand(i), depth + 1)) return false;
    return true;
}

class Copy {
  public:
    Copy(llvm::Instruction& before, const llvm::DominatorTree& tree) : before_(before), tree_(tree) {}

    bool is_possible(llvm::Value* value, int depth = 0) const {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (!instruction || tree_.dominates(instruction, &before_)) return true;
        if (depth == deepest || !is_computed(*instruction)) return false;
        return llvm::all_of(instruction->operands(),
                            [&](llvm::Use& use) { return is_possible(use.get(), depth + 1); });
    }

    llvm::Value* make(llvm::Value* value) {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (!instruction || tree_.dominates(instruction, &before_)) return value;
        auto [place, added] = made_.try_emplace(instruction);
        if (!added) return place->second;
        llvm::Instruction* copy = instruction->clone();
        for (llvm::Use& use : copy->operands()) use.set(make(use.get()));
        copy->insertBefore(&before_);
        return made_[instruction] = copy;
    }

  private:
    llvm::Instruction& before_;
    const llvm::DominatorTree& tree_;
    std::map<llvm::Instruction*, llvm::Value*> made_;
};

bool recompute(llvm::PHINode& phi, const llvm::DominatorTree& tree) {
    auto* first = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
    if (!first || !is_computed(*first) || phi.hasConstantOrUndefValue()) return false;
    for (llvm::Value* value : phi.incoming_values())
        if (!are_alike(first, value)) return false;
    Copy copy(*phi.getParent()->getFirstInsertionPt(), tree);
    if (!copy.is_possible(first)) return false;
    phi.replaceAllUsesWith(copy.make(first));
    phi.eraseFromParent();
    return true;
}

}  // namespace

llvm::PreservedAnalyses Recompute::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        return phi && recompute(*phi, tree);
    }));
}

}  // namespace lockstep::device
