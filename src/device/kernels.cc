#include "device/kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace lockstep::device {

llvm::SmallVector<llvm::Function*> kernels_of(const llvm::Module& module) {
    llvm::SmallVector<llvm::Function*> kernels;
    const llvm::NamedMDNode* notes = module.getNamedMetadata("nvvm.annotations");
    if (!notes) return kernels;
    for (const llvm::MDNode* note : notes->operands())
        for (unsigned i = 1; i + 1 < note->getNumOperands(); i += 2) {
            const auto* name = llvm::dyn_cast<llvm::MDString>(note->getOperand(i));
            auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(note->getOperand(0));
            if (name && name->getString() == "kernel" && function) kernels.push_back(function);
        }
    return kernels;
}

void note_kernel(llvm::Function& function) {
    llvm::LLVMContext& context = function.getContext();
    llvm::Metadata* const parts[] = {
        llvm::ValueAsMetadata::get(&function), llvm::MDString::get(context, "kernel"),
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))};
    function.getParent()
        ->getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(context, parts));
}

}  // namespace lockstep::device
