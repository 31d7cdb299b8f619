#include "device/wide-index.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "device/strength-reduction.h"

namespace lockstep::device {

bool may_wrap(const llvm::Value& value) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* by = nullptr;
    const bool scales = match(&value, m_Mul(m_Value(), m_APInt(by))) ||
                        (match(&value, m_Shl(m_Value(), m_APInt(by))) && by->ugt(1));
    return scales && !llvm::cast<llvm::Instruction>(value).hasNoSignedWrap();
}

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
        if (may_wrap(value)) return false;
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
    // Of three factors and more (z * (nx * ny)) LLVM forgets that they cannot overflow, and so does nvcc.
    static bool has_product(const llvm::BinaryOperator& product) {
        return llvm::any_of(product.operands(), [](const llvm::Value* factor) {
            const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(factor);
            return operation && (operation->getOpcode() == llvm::Instruction::Mul ||
                                 operation->getOpcode() == llvm::Instruction::Shl);
        });
    }

    // The operation, where it may be done before or after the extension.
    llvm::BinaryOperator* parts_of(llvm::Value& value) const {
        auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
        if (!operation) return nullptr;
        const bool steady =
            loop.isLoopInvariant(operation->getOperand(0)) || loop.isLoopInvariant(operation->getOperand(1));
        switch (operation->getOpcode()) {
            case llvm::Instruction::Add:
            case llvm::Instruction::Sub: return operation->hasNoSignedWrap() ? operation : nullptr;
            case llvm::Instruction::Mul:
                return operation->hasNoSignedWrap() && steady && !has_product(*operation) ? operation
                                                                                          : nullptr;
            case llvm::Instruction::Shl:
                return llvm::isa<llvm::ConstantInt>(operation->getOperand(1)) && !may_wrap(*operation)
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

// An index that steps with the loop, and its extension.
struct Index {
    llvm::CastInst* extension;
    llvm::Loop* loop;
    const llvm::SCEV* value;
    bool can;
};

std::vector<Index> indices_of(llvm::Function& function, const llvm::LoopInfo& loops,
                              llvm::ScalarEvolution& scev) {
    std::vector<Index> indices;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* extension = llvm::dyn_cast<llvm::CastInst>(&instruction);
        if (!extension || !(llvm::isa<llvm::SExtInst>(extension) ||
                            (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg())))
            continue;
        llvm::Loop* const loop = loops.getLoopFor(extension->getParent());
        if (!loop || !loop->isInnermost() || !loop->getLoopPreheader() || !is_counted(*loop, scev)) continue;
        llvm::Value& index = *extension->getOperand(0);
        const Widener widener(scev, *loop, *extension->getType());
        const llvm::SCEV* const value = scev.getSCEV(&index);
        if (!llvm::isa<llvm::PHINode>(index) && widener.steps(value))
            indices.push_back({extension, loop, value, widener.can(index)});
    }
    return indices;
}

}  // namespace

llvm::PreservedAnalyses WideIndex::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    const auto indices = indices_of(function, analyses.getResult<llvm::LoopAnalysis>(function), scev);
    // Those that differ by a constant are to have one address between them, which is all or none.
    const auto is_alone = [&](const Index& index) {
        return llvm::all_of(indices, [&](const Index& other) {
            return other.can || other.loop != index.loop ||
                   other.value->getType() != index.value->getType() ||
                   !llvm::isa<llvm::SCEVConstant>(scev.getMinusSCEV(other.value, index.value));
        });
    };
    std::vector<const Index*> wide;
    for (const Index& index : indices)
        if (index.can && is_alone(index)) wide.push_back(&index);
    for (const Index* index : wide) {
        const Widener widener(scev, *index->loop, *index->extension->getType());
        index->extension->replaceAllUsesWith(widener.widen(*index->extension->getOperand(0)));
        scev.forgetValue(index->extension);
        index->extension->eraseFromParent();
    }
    return wide.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
