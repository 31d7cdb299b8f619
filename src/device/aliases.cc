#include "device/aliases.h"

#include <llvm/IR/Instructions.h>

#include "device/changes.h"

namespace lockstep::device {

llvm::PreservedAnalyses UntypedMemory::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        if (!instruction.hasMetadata(llvm::LLVMContext::MD_tbaa)) return false;
        instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
        return true;
    }));
}

llvm::PreservedAnalyses HideCopies::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (!store || !llvm::isa<llvm::LoadInst>(store->getValueOperand())) return false;
        store->setOperand(0, new llvm::FreezeInst(store->getValueOperand(), "", store->getIterator()));
        return true;
    }));
}

llvm::PreservedAnalyses ShowCopies::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* hidden = llvm::dyn_cast<llvm::FreezeInst>(&instruction);
        if (!hidden || !hidden->hasOneUse() || !llvm::isa<llvm::StoreInst>(*hidden->user_begin()))
            return false;
        hidden->replaceAllUsesWith(hidden->getOperand(0));
        hidden->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
