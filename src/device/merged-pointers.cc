#include "device/merged-pointers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

bool has_variable_index(const llvm::GetElementPtrInst& address) {
    return !llvm::isa<llvm::Constant>(address.getOperand(1));
}

// The pointer that `address` indexes, if it was made by a variable index in the same kind of elements, and
// nothing else is done with it.
llvm::GetElementPtrInst* pointer_of(llvm::GetElementPtrInst& address) {
    auto* const pointer = llvm::dyn_cast<llvm::GetElementPtrInst>(address.getPointerOperand());
    if (!pointer || pointer->getNumIndices() != 1 || !has_variable_index(*pointer)) return nullptr;
    const bool same_kind = pointer->getSourceElementType() == address.getSourceElementType() &&
                           pointer->getOperand(1)->getType() == address.getOperand(1)->getType() &&
                           !pointer->getType()->isVectorTy();
    const bool only_indexed = llvm::all_of(
        pointer->users(), [](const llvm::User* user) { return llvm::isa<llvm::GetElementPtrInst>(user); });
    return same_kind && only_indexed ? pointer : nullptr;
}

bool merge(llvm::Instruction& instruction) {
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address || !has_variable_index(*address)) return false;
    llvm::GetElementPtrInst* const pointer = pointer_of(*address);
    if (!pointer) return false;
    const bool inside = address->isInBounds() && pointer->isInBounds();
    llvm::IRBuilder<> builder(address);
    address->setOperand(1,
                        builder.CreateAdd(pointer->getOperand(1), address->getOperand(1), "", false, inside));
    address->setOperand(0, pointer->getPointerOperand());
    address->setIsInBounds(inside);
    if (pointer->use_empty()) pointer->eraseFromParent();
    return true;
}

}  // namespace

llvm::PreservedAnalyses MergedPointers::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, merge));
}

}  // namespace lockstep::device
