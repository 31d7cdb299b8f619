#include "device/shifted-conditions.h"

#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "device/changes.h"
#include "device/hidden-values.h"

namespace lockstep::device {
namespace {

constexpr const char* hidden_shift = "shifted";

// Whether the comparison asks for zero, or for anything else, of what is not negative.
std::optional<llvm::CmpInst::Predicate> asks_for_zero(const llvm::ICmpInst& comparison) {
    using namespace llvm::PatternMatch;
    const llvm::Value* with = comparison.getOperand(1);
    switch (comparison.getPredicate()) {
        case llvm::CmpInst::ICMP_EQ:
        case llvm::CmpInst::ICMP_NE:
            if (match(with, m_ZeroInt())) return comparison.getPredicate();
            break;
        case llvm::CmpInst::ICMP_UGT:
        case llvm::CmpInst::ICMP_SGT:
            if (match(with, m_ZeroInt())) return llvm::CmpInst::ICMP_NE;
            break;
        case llvm::CmpInst::ICMP_ULT:
        case llvm::CmpInst::ICMP_SLT:
            if (match(with, m_One())) return llvm::CmpInst::ICMP_EQ;
            break;
        default: break;
    }
    return {};
}

bool is_shifted(const llvm::Value* value) {
    using namespace llvm::PatternMatch;
    return match(value, m_LShr(m_Value(), m_ConstantInt())) || match(value, m_UDiv(m_Value(), m_Power2()));
}

}  // namespace

llvm::PreservedAnalyses HideShifted::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
        if (!comparison || !is_shifted(comparison->getOperand(0)) || comparison->getOperand(0)->hasOneUse())
            return false;
        const auto predicate = asks_for_zero(*comparison);
        if (!predicate) return false;
        llvm::IRBuilder<> builder(comparison);
        comparison->setPredicate(*predicate);
        comparison->setOperand(1, llvm::ConstantInt::get(comparison->getOperand(0)->getType(), 0));
        comparison->setOperand(0, hide(comparison->getOperand(0), hidden_shift, builder));
        return true;
    }));
}

llvm::PreservedAnalyses ShowShifted::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(show(function, hidden_shift));
}

}  // namespace lockstep::device
