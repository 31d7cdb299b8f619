#include "device/joint-bounds.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "device/changes.h"
#include "device/hidden-values.h"

namespace lockstep::device {
namespace {

constexpr const char* hidden_bound = "bound";

// Whether the value is the same in all trips, though it may be computed in each of them.
bool is_steady(const llvm::Value* value, const llvm::Loop& loop) {
    const auto* operation = llvm::dyn_cast<llvm::Instruction>(value);
    if (!operation || !loop.contains(operation)) return true;
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst>(operation) &&
           llvm::all_of(operation->operands(), [&](const llvm::Use& part) { return is_steady(part, loop); });
}

// What changes in the loop and is compared with what does not.
struct Bound {
    llvm::Value* value;
    llvm::CmpInst::Predicate predicate;
};

std::optional<Bound> bound_of(llvm::Value* condition, const llvm::Loop& loop) {
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!comparison || !comparison->isRelational()) return {};
    const bool first = is_steady(comparison->getOperand(0), loop);
    if (first == is_steady(comparison->getOperand(1), loop)) return {};
    return first ? Bound{comparison->getOperand(1), comparison->getSwappedPredicate()}
                 : Bound{comparison->getOperand(0), comparison->getPredicate()};
}

// The second of two conditions, if both bound the same.
llvm::Use* joint_bound(llvm::Instruction& condition, const llvm::Loop& loop) {
    using namespace llvm::PatternMatch;
    llvm::Value *left = nullptr, *right = nullptr;
    if (!match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))) &&
        !match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
        return nullptr;
    const auto first = bound_of(left, loop), second = bound_of(right, loop);
    if (!first || !second || first->value != second->value || first->predicate != second->predicate)
        return nullptr;
    return llvm::find(condition.operands(), right);
}

}  // namespace

llvm::PreservedAnalyses HideJointBounds::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
    const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        const llvm::Loop* const loop =
            instruction.getType()->isIntegerTy(1) ? loops.getLoopFor(instruction.getParent()) : nullptr;
        llvm::Use* const bound = loop ? joint_bound(instruction, *loop) : nullptr;
        if (!bound) return false;
        llvm::IRBuilder<> builder(&instruction);
        bound->set(hide(bound->get(), hidden_bound, builder));
        return true;
    }));
}

llvm::PreservedAnalyses ShowJointBounds::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(show(function, hidden_bound));
}

}  // namespace lockstep::device
