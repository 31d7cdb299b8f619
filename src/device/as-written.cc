#include "device/as-written.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

namespace lockstep::device {
namespace {

// 32- and 64-bit divisions whose divisor the code generator would see.
void hide_division(llvm::BinaryOperator& division) {
    using Op = llvm::Instruction;
    const unsigned code = division.getOpcode();
    const bool remainder = code == Op::SRem || code == Op::URem;
    const bool is_signed = code == Op::SRem || code == Op::SDiv;
    if (!remainder && !is_signed && code != Op::UDiv) return;
    auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(division.getOperand(1));
    llvm::Type* type = division.getType();
    const bool is_long = type->isIntegerTy(64);
    if (!divisor || llvm::isa<llvm::Constant>(division.getOperand(0)) || (!is_long && !type->isIntegerTy(32)))
        return;
    const std::string text = std::string(remainder ? "rem." : "div.") + (is_signed ? "s" : "u") +
                             (is_long ? "64" : "32") + " $0, $1, $2;";
    const auto function = llvm::FunctionType::get(type, {type, type}, false);
    llvm::IRBuilder<> builder(&division);
    division.replaceAllUsesWith(
        builder.CreateCall(llvm::InlineAsm::get(function, text, is_long ? "=l,l,n" : "=r,r,n", false),
                           {division.getOperand(0), divisor}));
    division.eraseFromParent();
}

// The code generator has the side that comes next fall through; it would invert the comparison for that.
void invert(llvm::BranchInst& branch) {
    if (branch.getSuccessor(0) != branch.getParent()->getNextNode() ||
        llvm::isa<llvm::Constant>(branch.getCondition()))
        return;
    llvm::IRBuilder<> builder(&branch);
    llvm::Type* type = builder.getInt1Ty();
    const auto function = llvm::FunctionType::get(type, {type}, false);
    branch.setCondition(builder.CreateCall(llvm::InlineAsm::get(function, "not.pred $0, $1;", "=b,b", false),
                                           {branch.getCondition()}));
    branch.swapSuccessors();
}

}  // namespace

llvm::PreservedAnalyses AsWritten::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
        if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
            hide_division(*operation);
        else if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
                 branch && branch->isConditional())
            invert(*branch);
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
}

}  // namespace lockstep::device
