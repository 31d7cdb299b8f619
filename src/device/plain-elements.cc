#include "device/plain-elements.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "device/changes.h"

namespace lockstep::device {

llvm::PreservedAnalyses PlainElements::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        if (!address || address->getNumIndices() != 2 ||
            !llvm::isa<llvm::ArrayType>(address->getSourceElementType()) ||
            !llvm::PatternMatch::match(address->getOperand(1), llvm::PatternMatch::m_Zero()))
            return false;
        auto* const plain =
            llvm::GetElementPtrInst::Create(address->getResultElementType(), address->getPointerOperand(),
                                            address->getOperand(2), "", address->getIterator());
        plain->setNoWrapFlags(address->getNoWrapFlags());
        plain->setDebugLoc(address->getDebugLoc());
        address->replaceAllUsesWith(plain);
        address->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
