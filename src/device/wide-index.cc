#include "device/wide-index.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "device/strength-reduction.h"

namespace lockstep::device {
namespace {

class Widener {
  public:
    Widener(llvm::ScalarEvolution& scev, llvm::Loop& loop, llvm::Type& type)
        : scev(scev), loop(loop), type(type) {}

    // Steps by the same in each trip.
    bool steps(const llvm::SCEV* value) const {
        const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
        return recurrence && recurrence->isAffine() && recurrence->getLoop() == &loop;
    }

    bool can(llvm::Value& value) const {
        if (loop.isLoopInvariant(&value)) return true;
        if (auto* parts = parts_of(value)) return can(*parts->getOperand(0)) && can(*parts->getOperand(1));
        return steps(scev.getSignExtendExpr(scev.getSCEV(&value), &type));
    }

    llvm::Value* widen(llvm::Value& value) const {
        if (loop.isLoopInvariant(&value))
            return llvm::IRBuilder<>(loop.getLoopPreheader()->getTerminator()).CreateSExt(&value, &type);
        auto* parts = parts_of(value);
        if (!parts) {
            auto& instruction = llvm::cast<llvm::Instruction>(value);
            return llvm::IRBuilder<>(instruction.getParent(), *instruction.getInsertionPointAfterDef())
                .CreateSExt(&value, &type);
        }
        llvm::Value* const left = widen(*parts->getOperand(0));
        llvm::Value* const right = widen(*parts->getOperand(1));
        llvm::IRBuilder<> builder(parts);
        switch (parts->getOpcode()) {
            case llvm::Instruction::Sub: return builder.CreateNSWSub(left, right);
            case llvm::Instruction::Mul: return builder.CreateNSWMul(left, right);
            case llvm::Instruction::Shl: return builder.CreateShl(left, right, "", false, true);
            default: return builder.CreateNSWAdd(left, right);
        }
    }

  private:
    // The operation, where it may be done before or after the extension.
    llvm::BinaryOperator* parts_of(llvm::Value& value) const {
        auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
        if (!operation) return nullptr;
        const bool steady =
            loop.isLoopInvariant(operation->getOperand(0)) || loop.isLoopInvariant(operation->getOperand(1));
        switch (operation->getOpcode()) {
            case llvm::Instruction::Add:
            case llvm::Instruction::Sub: return operation->hasNoSignedWrap() ? operation : nullptr;
            case llvm::Instruction::Mul: return operation->hasNoSignedWrap() && steady ? operation : nullptr;
            case llvm::Instruction::Shl:
                return operation->hasNoSignedWrap() && llvm::isa<llvm::ConstantInt>(operation->getOperand(1))
                           ? operation
                           : nullptr;
            case llvm::Instruction::Or:
                return llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint() ? operation : nullptr;
            default: return nullptr;
        }
    }

    llvm::ScalarEvolution& scev;
    llvm::Loop& loop;
    llvm::Type& type;
};

}  // namespace

llvm::PreservedAnalyses WideIndex::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto& scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* extension = llvm::dyn_cast<llvm::CastInst>(&instruction);
        if (!extension || !(llvm::isa<llvm::SExtInst>(extension) ||
                            (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg())))
            continue;
        llvm::Loop* const loop = loops.getLoopFor(extension->getParent());
        if (!loop || !loop->getLoopPreheader() || !is_counted(*loop, scev)) continue;
        llvm::Value& index = *extension->getOperand(0);
        const Widener widener(scev, *loop, *extension->getType());
        if (llvm::isa<llvm::PHINode>(index) || !widener.steps(scev.getSCEV(&index)) || !widener.can(index))
            continue;
        llvm::Value* const wide = widener.widen(index);
        extension->replaceAllUsesWith(wide);
        scev.forgetValue(extension);
        extension->eraseFromParent();
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
