#include "device/condition-values.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"
#include "device/hidden-values.h"
#include "device/joined-conditions.h"

namespace lockstep::device {
namespace {

constexpr const char* hidden_condition = "condition";

// More would be more work than the branch.
constexpr unsigned most_choices = 2;

// The one operation of a block that does nothing else and goes on to another; null: it is no such block.
llvm::BinaryOperator* only_operation(llvm::BasicBlock& block) {
    auto& first = *block.getFirstNonPHIOrDbg();
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&first);
    const auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!operation || operation->isIntDivRem() || operation->getOpcode() == llvm::Instruction::FDiv ||
        operation->getOpcode() == llvm::Instruction::FRem || !jump || jump->isConditional() ||
        !block.phis().empty() || operation->getNextNonDebugInstruction() != jump)
        return nullptr;
    return operation;
}

// The blocks whose branches make up the condition; none: there is no && or || in it, or they lead elsewhere,
// too.
llvm::SmallSetVector<llvm::BasicBlock*, 4> parts_of(llvm::BasicBlock& then, llvm::BasicBlock& end) {
    llvm::SmallSetVector<llvm::BasicBlock*, 4> parts(llvm::pred_begin(&then), llvm::pred_end(&then));
    bool has_marks = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(parts[i]->getTerminator());
        if (!branch || branch->isUnconditional() || parts[i] == &end) return {};
        if (!is_joined(*branch)) continue;
        has_marks = true;
        if (llvm::BasicBlock* before = parts[i]->getSinglePredecessor()) parts.insert(before);
    }
    const auto leads_elsewhere = [&](llvm::BasicBlock* part) {
        return llvm::any_of(llvm::successors(part), [&](llvm::BasicBlock* next) {
            return next != &then && next != &end && !parts.contains(next);
        });
    };
    return has_marks && llvm::none_of(parts, leads_elsewhere) ? parts
                                                              : llvm::SmallSetVector<llvm::BasicBlock*, 4>();
}

class Condition {
  public:
    Condition(llvm::BasicBlock& then, llvm::BinaryOperator& operation)
        : then_(then),
          end_(*then.getSingleSuccessor()),
          operation_(operation),
          parts_(parts_of(then_, end_)) {}

    bool has_value(const llvm::DominatorTree& tree) const {
        const auto phis = end_.phis();
        if (parts_.empty() || phis.empty() || std::distance(phis.begin(), phis.end()) > most_choices ||
            end_.isEHPad() || llvm::is_contained(parts_, &then_))
            return false;
        const auto is_there = [&](const llvm::Value* value) {
            const auto* made = llvm::dyn_cast<llvm::Instruction>(value);
            return !made || llvm::all_of(parts_, [&](const llvm::BasicBlock* part) {
                return !ends(*part) || tree.dominates(made, part->getTerminator());
            });
        };
        for (llvm::PHINode& phi : phis) {
            const llvm::Value* otherwise = otherwise_of(phi);
            const llvm::Value* chosen = phi.getIncomingValueForBlock(&then_);
            if (!otherwise || !is_there(otherwise) || (chosen != &operation_ && !is_there(chosen)))
                return false;
        }
        return llvm::all_of(operation_.operands(), is_there);
    }

    void make_value() {
        llvm::LLVMContext& context = then_.getContext();
        auto* const meets = llvm::BasicBlock::Create(context, "", then_.getParent(), &end_);
        llvm::IRBuilder<> builder(meets);
        builder.SetCurrentDebugLocation(operation_.getDebugLoc());
        llvm::PHINode* const value = builder.CreatePHI(builder.getInt1Ty(), parts_.size());
        llvm::Value* const condition = hide(value, hidden_condition, builder);
        operation_.moveBefore(*meets, meets->end());
        builder.SetInsertPoint(meets);
        for (llvm::PHINode& phi : end_.phis()) {
            llvm::Value* const choice =
                builder.CreateSelect(condition, phi.getIncomingValueForBlock(&then_), otherwise_of(phi));
            phi.addIncoming(choice, meets);
        }
        builder.CreateBr(&end_);
        for (llvm::BasicBlock* part : parts_) meet(*part, *meets, *value);
        end_.removePredecessor(&then_, true);
        then_.getTerminator()->eraseFromParent();
        llvm::IRBuilder<>(&then_).CreateUnreachable();
    }

  private:
    // Whether the condition may be decided there.
    bool ends(const llvm::BasicBlock& part) const {
        return llvm::is_contained(llvm::successors(&part), &then_) ||
               llvm::is_contained(llvm::successors(&part), &end_);
    }

    // What it is when the condition does not hold, if that is one value.
    llvm::Value* otherwise_of(const llvm::PHINode& phi) const {
        llvm::Value* otherwise = nullptr;
        for (const llvm::BasicBlock* part : parts_) {
            if (!llvm::is_contained(llvm::successors(part), &end_)) continue;
            llvm::Value* const value = phi.getIncomingValueForBlock(part);
            if (otherwise && otherwise != value) return nullptr;
            otherwise = value;
        }
        return otherwise;
    }

    void meet(llvm::BasicBlock& part, llvm::BasicBlock& meets, llvm::PHINode& value) {
        auto* const branch = llvm::cast<llvm::BranchInst>(part.getTerminator());
        llvm::IRBuilder<> builder(branch);
        const bool decides =
            !parts_.contains(branch->getSuccessor(0)) && !parts_.contains(branch->getSuccessor(1));
        if (decides) {
            const bool holds = branch->getSuccessor(0) == &then_;
            value.addIncoming(holds ? branch->getCondition() : builder.CreateNot(branch->getCondition()),
                              &part);
            if (llvm::is_contained(branch->successors(), &end_)) end_.removePredecessor(&part, true);
            builder.CreateBr(&meets);
            branch->eraseFromParent();
            return;
        }
        for (unsigned way = 0; way < 2; ++way) {
            llvm::BasicBlock* const next = branch->getSuccessor(way);
            if (parts_.contains(next)) continue;
            value.addIncoming(builder.getInt1(next == &then_), &part);
            if (next == &end_) end_.removePredecessor(&part, true);
            branch->setSuccessor(way, &meets);
        }
    }

    llvm::BasicBlock &then_, &end_;
    llvm::BinaryOperator& operation_;
    const llvm::SmallSetVector<llvm::BasicBlock*, 4> parts_;
};

}  // namespace

llvm::PreservedAnalyses ConditionValues::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
    bool changed = false;
    for (llvm::BasicBlock* block : llvm::to_vector(llvm::make_pointer_range(function))) {
        llvm::BinaryOperator* const operation = only_operation(*block);
        if (!operation) continue;
        const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
        if (!tree.isReachableFromEntry(block)) continue;
        Condition condition(*block, *operation);
        if (!condition.has_value(tree)) continue;
        condition.make_value();
        analyses.invalidate(function, llvm::PreservedAnalyses::none());
        changed = true;
    }
    for (llvm::BasicBlock& block : function)
        if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator())) forget_joined(*branch);
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses ShowConditionValues::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(show(function, hidden_condition));
}

}  // namespace lockstep::device
