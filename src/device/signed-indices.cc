#include "device/signed-indices.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "device/changes.h"

namespace lockstep::device {

namespace {

// The source's int is made unsigned only where LLVM has seen that it is not negative.
bool is_signed_elsewhere(const llvm::ZExtInst& extension) {
    return llvm::any_of(extension.getOperand(0)->users(), [&](const llvm::User* user) {
        return llvm::isa<llvm::SExtInst>(user) && user->getType() == extension.getType();
    });
}

}  // namespace

llvm::PreservedAnalyses SignedIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
        if (!extension || !extension->hasNonNeg()) return false;
        const auto* sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(extension->getOperand(0));
        if (!(sum && sum->hasNoSignedWrap()) && !is_signed_elsewhere(*extension)) return false;
        auto* again = llvm::CastInst::Create(llvm::Instruction::SExt, extension->getOperand(0),
                                             extension->getType(), "", extension->getIterator());
        again->setDebugLoc(extension->getDebugLoc());
        extension->replaceAllUsesWith(again);
        extension->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
