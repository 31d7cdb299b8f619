#include "device/whole-bools.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// Whether the value is a byte that is zero or one.
bool is_bool(const llvm::Value& value, const llvm::Function& function) {
    if (!value.getType()->isIntegerTy(8)) return false;
    const llvm::APInt others = ~llvm::APInt(8, 1);
    return llvm::MaskedValueIsZero(&value, others, llvm::SimplifyQuery(function.getDataLayout()));
}

}  // namespace

llvm::PreservedAnalyses WholeBools::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* lowest = llvm::dyn_cast<llvm::TruncInst>(&instruction);
        if (!lowest || !lowest->getType()->isIntegerTy(1) || !is_bool(*lowest->getOperand(0), function))
            return false;
        llvm::IRBuilder<> builder(lowest);
        lowest->replaceAllUsesWith(builder.CreateIsNotNull(lowest->getOperand(0)));
        lowest->eraseFromParent();
        return true;
    });
    // The code generator would take the lowest bit again.
    changed |= change_instructions(function, [](llvm::Instruction& instruction) {
        const bool tells = llvm::isa<llvm::LoadInst>(instruction) && instruction.getType()->isIntegerTy(8) &&
                           instruction.hasMetadata(llvm::LLVMContext::MD_range);
        if (tells) instruction.setMetadata(llvm::LLVMContext::MD_range, nullptr);
        return tells;
    });
    return same_branches(changed);
}

}  // namespace lockstep::device
