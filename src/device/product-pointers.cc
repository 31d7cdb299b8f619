#include "device/product-pointers.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr llvm::StringLiteral products = "llvm.nvvm.wmma.";

llvm::Use* generic_pointer(llvm::IntrinsicInst& call) {
    const auto is_generic = [](const llvm::Use& argument) {
        return argument->getType()->isPointerTy() && argument->getType()->getPointerAddressSpace() == 0;
    };
    auto* const found = llvm::find_if(call.args(), is_generic);
    return found == call.arg_end() ? nullptr : found;
}

}  // namespace

llvm::PreservedAnalyses ProductPointers::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!call || !call->getCalledFunction()->getName().starts_with(products)) return false;
        llvm::Use* const pointer = generic_pointer(*call);
        if (!pointer) return false;
        const unsigned space =
            llvm::getUnderlyingObject(pointer->get(), 0)->getType()->getPointerAddressSpace();
        if (space == 0) return false;
        llvm::IRBuilder<> builder(call);
        llvm::Type* const type = builder.getPtrTy(space);
        pointer->set(builder.CreateAddrSpaceCast(pointer->get(), type));
        call->setCalledFunction(
            llvm::Intrinsic::getDeclaration(call->getModule(), call->getIntrinsicID(), {type}));
        return true;
    }));
}

}  // namespace lockstep::device
