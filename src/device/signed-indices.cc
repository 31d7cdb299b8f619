#include "device/signed-indices.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace lockstep::device {

llvm::PreservedAnalyses SignedIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
        if (!extension || !extension->hasNonNeg()) continue;
        const auto* sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(extension->getOperand(0));
        if (!sum || !sum->hasNoSignedWrap()) continue;
        auto* again = llvm::CastInst::Create(llvm::Instruction::SExt, extension->getOperand(0),
                                             extension->getType(), "", extension->getIterator());
        again->setDebugLoc(extension->getDebugLoc());
        extension->replaceAllUsesWith(again);
        extension->eraseFromParent();
        changed = true;
    }
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
}

}  // namespace lockstep::device
