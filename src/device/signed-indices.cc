#include "device/signed-indices.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "device/changes.h"

namespace lockstep::device {

llvm::PreservedAnalyses SignedIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
        if (!extension || !extension->hasNonNeg()) return false;
        const auto* sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(extension->getOperand(0));
        if (!sum || !sum->hasNoSignedWrap()) return false;
        auto* again = llvm::CastInst::Create(llvm::Instruction::SExt, extension->getOperand(0),
                                             extension->getType(), "", extension->getIterator());
        again->setDebugLoc(extension->getDebugLoc());
        extension->replaceAllUsesWith(again);
        extension->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
