#include "device/kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {

llvm::SmallVector<llvm::Function*> kernels_of(const llvm::Module& module) {
    llvm::SmallVector<llvm::Function*> kernels;
    const llvm::NamedMDNode* notes = module.getNamedMetadata("nvvm.annotations");
    if (!notes) return kernels;
    for (const llvm::MDNode* note : notes->operands())
        for (unsigned i = 1; i + 1 < note->getNumOperands(); i += 2) {
            const auto* name = llvm::dyn_cast<llvm::MDString>(note->getOperand(i));
            auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(note->getOperand(0));
            if (name && name->getString() == "kernel" && function && !function->isDeclaration())
                kernels.push_back(function);
        }
    return kernels;
}

}  // namespace lockstep::device
