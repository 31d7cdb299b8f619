#include "device/last-stores.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"
#include "device/guards.h"
#include "device/kernels.h"

namespace lockstep::device {
namespace {

constexpr const char* keeps_store = "lockstep-last-store";

// The store that the block ends with, before a jump.
llvm::StoreInst* last_store(llvm::BasicBlock& block) {
    auto* const jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    llvm::Instruction* const last =
        jump && jump->isUnconditional() ? jump->getPrevNonDebugInstruction() : nullptr;
    return llvm::dyn_cast_or_null<llvm::StoreInst>(last);
}

bool keep(llvm::BasicBlock& end) {
    if (!llvm::isa<llvm::ReturnInst>(*end.getFirstNonPHIOrDbg())) return false;
    llvm::SmallVector<llvm::StoreInst*> stores;
    for (llvm::BasicBlock* before : llvm::predecessors(&end))
        if (llvm::StoreInst* store = last_store(*before)) stores.push_back(store);
    if (stores.size() < 2) return false;
    for (llvm::StoreInst* store : stores) guard(*store, keeps_store);
    return true;
}

}  // namespace

llvm::PreservedAnalyses FreeLastStores::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(unguard(function, keeps_store));
}

llvm::PreservedAnalyses KeepLastStores::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = unguard(function, keeps_store);
    if (!llvm::is_contained(kernels_of(*function.getParent()), &function))
        for (llvm::BasicBlock& block : function) changed |= keep(block);
    return same_branches(changed);
}

}  // namespace lockstep::device
