#include "device/reassociation.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Scalar/Reassociate.h>

namespace lockstep::device {
namespace {

llvm::OverflowingBinaryOperator* arithmetic(llvm::Value* value) {
    return llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value);
}

// Whether the sum, and those that are part of it alone, do not wrap.
bool is_signed(llvm::Value* value) {
    const auto* operation = arithmetic(value);
    if (!operation || !operation->hasOneUse()) return true;
    return operation->hasNoSignedWrap() && is_signed(operation->getOperand(0)) &&
           is_signed(operation->getOperand(1));
}

void make_signed(llvm::Value* value) {
    auto* operation = arithmetic(value);
    if (!operation || !operation->hasOneUse()) return;
    llvm::cast<llvm::Instruction>(value)->setHasNoSignedWrap();
    make_signed(operation->getOperand(0));
    make_signed(operation->getOperand(1));
}

}  // namespace

llvm::PreservedAnalyses Reassociation::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
    std::vector<llvm::WeakVH> indices;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::SExtInst>(instruction) && is_signed(instruction.getOperand(0)))
            indices.emplace_back(&instruction);
    auto preserved = llvm::ReassociatePass().run(function, analyses);
    for (const llvm::WeakVH& index : indices)
        if (auto* extension = llvm::dyn_cast_or_null<llvm::SExtInst>(index))
            make_signed(extension->getOperand(0));
    return preserved;
}

}  // namespace lockstep::device
