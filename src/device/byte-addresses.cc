#include "device/byte-addresses.h"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

bool is_masked(const llvm::Value* index) {
    if (const auto* wide = llvm::dyn_cast<llvm::CastInst>(index)) index = wide->getOperand(0);
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(index);
    return operation && operation->isBitwiseLogicOp() &&
           llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
}

}  // namespace

llvm::PreservedAnalyses ByteAddresses::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        if (!address || address->hasAllConstantIndices() || address->getType()->isVectorTy()) return false;
        if (llvm::none_of(address->indices(), [](const llvm::Use& index) { return is_masked(index); }))
            return false;
        llvm::IRBuilder<> builder(address);
        llvm::Value* offset = llvm::emitGEPOffset(&builder, layout, address, true);
        llvm::Value* bytes = builder.CreatePtrAdd(address->getPointerOperand(), offset);
        bytes->takeName(address);
        address->replaceAllUsesWith(bytes);
        address->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
