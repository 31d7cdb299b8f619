#include "device/whole-bools.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// Whether the value is a byte that is zero or one, however many branches and loops chose it.
bool is_bool(const llvm::Value& value, const llvm::Function& function) {
    if (!value.getType()->isIntegerTy(8)) return false;
    const llvm::APInt others = ~llvm::APInt(8, 1);
    const llvm::SimplifyQuery query(function.getDataLayout());
    llvm::SmallSetVector<const llvm::Value*, 8> parts;
    parts.insert(&value);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(parts[i])) {
            parts.insert(phi->op_begin(), phi->op_end());
        } else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(parts[i])) {
            parts.insert(choice->getTrueValue());
            parts.insert(choice->getFalseValue());
        } else if (!llvm::MaskedValueIsZero(parts[i], others, query)) {
            return false;
        }
    }
    return true;
}

}  // namespace

llvm::PreservedAnalyses WholeBools::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* lowest = llvm::dyn_cast<llvm::TruncInst>(&instruction);
        if (!lowest || !lowest->getType()->isIntegerTy(1) || !is_bool(*lowest->getOperand(0), function))
            return false;
        llvm::IRBuilder<> builder(lowest);
        lowest->replaceAllUsesWith(builder.CreateIsNotNull(lowest->getOperand(0)));
        lowest->eraseFromParent();
        return true;
    }));
}

llvm::PreservedAnalyses ForgetBools::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        const bool tells = llvm::isa<llvm::LoadInst>(instruction) && instruction.getType()->isIntegerTy(8) &&
                           instruction.hasMetadata(llvm::LLVMContext::MD_range);
        if (tells) instruction.setMetadata(llvm::LLVMContext::MD_range, nullptr);
        return tells;
    }));
}

}  // namespace lockstep::device
