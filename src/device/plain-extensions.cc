#include "device/plain-extensions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// As LLVM's generator of PTX tells it.
bool is_cached(const llvm::LoadInst& load) {
    if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
    const auto* array = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
    return array && array->hasNoAliasAttr() && array->onlyReadsMemory();
}

// The one block behind its own that needs the value, if there is one.
llvm::BasicBlock* block_behind(llvm::Instruction& value) {
    llvm::BasicBlock* block = nullptr;
    for (const llvm::User* user : value.users()) {
        const auto* needs = llvm::cast<llvm::Instruction>(user);
        llvm::BasicBlock* const there = const_cast<llvm::BasicBlock*>(needs->getParent());
        if (llvm::isa<llvm::PHINode>(needs) || there == value.getParent() || (block && block != there))
            return nullptr;
        block = there;
    }
    return block && block->getSinglePredecessor() == value.getParent() ? block : nullptr;
}

}  // namespace

llvm::PreservedAnalyses PlainExtensions::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* const load = llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)
                               ? llvm::dyn_cast<llvm::LoadInst>(instruction.getOperand(0))
                               : nullptr;
        if (!load || !is_cached(*load)) return false;
        if (instruction.getParent() == load->getParent()) {
            llvm::BasicBlock* const behind = block_behind(instruction);
            if (!behind) return false;
            instruction.moveBefore(&*behind->getFirstInsertionPt());
        }
        // LLVM looks for the load itself.
        llvm::IRBuilder<> builder(&instruction);
        instruction.setOperand(0, builder.CreateFreeze(load));
        return true;
    }));
}

}  // namespace lockstep::device
