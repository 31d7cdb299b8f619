#include "device/signed-divisions.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DomConditionCache.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"
#include "device/hidden-values.h"

namespace lockstep::device {
namespace {

constexpr const char *hidden_dividend = "dividend", *told_dividend = "told-dividend";

bool divides(const llvm::Instruction& instruction) {
    return (instruction.getOpcode() == llvm::Instruction::SDiv ||
            instruction.getOpcode() == llvm::Instruction::SRem) &&
           llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
}

// What an instruction says of itself, nvcc knows too.
bool is_plain(const llvm::Value* value, const llvm::DataLayout& layout) {
    return !llvm::isa<llvm::PHINode>(value) && llvm::isKnownNonNegative(value, llvm::SimplifyQuery(layout));
}

llvm::DomConditionCache conditions_of(llvm::Function& function) {
    llvm::DomConditionCache conditions;
    for (llvm::BasicBlock& block : function)
        if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
            branch && branch->isConditional())
            conditions.registerBranch(branch);
    return conditions;
}

// Whether a branch on the way to `at` is taken only if the value is not negative.
bool is_told(const llvm::Value* value, const llvm::Instruction& at, const llvm::DomConditionCache& conditions,
             const llvm::DominatorTree& tree) {
    const auto* zero = llvm::ConstantInt::getNullValue(value->getType());
    const auto tells = [&](const llvm::BranchInst* branch, unsigned way) {
        const llvm::BasicBlockEdge edge(branch->getParent(), branch->getSuccessor(way));
        return tree.dominates(edge, at.getParent()) &&
               llvm::isImpliedCondition(branch->getCondition(), llvm::CmpInst::ICMP_SGE, value, zero,
                                        at.getDataLayout(), way == 0)
                   .value_or(false);
    };
    return llvm::any_of(conditions.conditionsFor(value),
                        [&](const llvm::BranchInst* branch) { return tells(branch, 0) || tells(branch, 1); });
}

}  // namespace

llvm::PreservedAnalyses HideDividends::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
    const llvm::DataLayout& layout = function.getDataLayout();
    const llvm::DomConditionCache conditions = conditions_of(function);
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        if (!divides(instruction)) return false;
        llvm::Value* const dividend = instruction.getOperand(0);
        const llvm::SimplifyQuery there(layout, nullptr, &tree, &assumptions, &instruction, true, true,
                                        &conditions);
        const bool hides = llvm::isa<llvm::PHINode>(dividend) ||
                           (!is_plain(dividend, layout) && llvm::isKnownNonNegative(dividend, there));
        if (!hides) return false;
        llvm::IRBuilder<> builder(&instruction);
        const bool told = is_told(dividend, instruction, conditions, tree);
        instruction.setOperand(0, hide(dividend, told ? told_dividend : hidden_dividend, builder));
        return true;
    }));
}

llvm::PreservedAnalyses DivideUnsigned::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        const auto* told =
            divides(instruction) ? llvm::dyn_cast<llvm::CallInst>(instruction.getOperand(0)) : nullptr;
        if (!told || !is_hidden(*told, told_dividend)) return false;
        llvm::IRBuilder<> builder(&instruction);
        const bool is_division = instruction.getOpcode() == llvm::Instruction::SDiv;
        instruction.replaceAllUsesWith(
            builder.CreateBinOp(is_division ? llvm::Instruction::UDiv : llvm::Instruction::URem,
                                told->getArgOperand(0), instruction.getOperand(1)));
        instruction.eraseFromParent();
        return true;
    }));
}

llvm::PreservedAnalyses ShowDividends::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const bool some = show(function, hidden_dividend), others = show(function, told_dividend);
    return same_branches(some || others);
}

}  // namespace lockstep::device
