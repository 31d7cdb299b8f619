#include "device/global-pointers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "device/kernels.h"

namespace lockstep::device {
namespace {

constexpr unsigned global = 1;

bool is_pointer_parameter(const llvm::Argument& argument) {
    return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == 0 &&
           !argument.hasByValAttr();
}

// The kernel again, with pointers of global memory for generic ones.
void rewrite(llvm::Function& kernel) {
    llvm::SmallVector<llvm::Type*> types;
    for (const llvm::Argument& argument : kernel.args())
        types.push_back(is_pointer_parameter(argument) ? llvm::PointerType::get(kernel.getContext(), global)
                                                       : argument.getType());
    llvm::Function* other =
        llvm::Function::Create(llvm::FunctionType::get(kernel.getReturnType(), types, kernel.isVarArg()),
                               kernel.getLinkage(), kernel.getAddressSpace());
    other->copyAttributesFrom(&kernel);
    other->setComdat(kernel.getComdat());
    other->copyMetadata(&kernel, 0);
    kernel.getParent()->getFunctionList().insert(kernel.getIterator(), other);
    other->splice(other->begin(), &kernel);
    llvm::IRBuilder<> builder(&other->getEntryBlock(), other->getEntryBlock().getFirstInsertionPt());
    for (llvm::Argument& argument : kernel.args()) {
        llvm::Argument* same = other->getArg(argument.getArgNo());
        same->takeName(&argument);
        argument.replaceAllUsesWith(same->getType() == argument.getType()
                                        ? static_cast<llvm::Value*>(same)
                                        : builder.CreateAddrSpaceCast(same, argument.getType()));
    }
    other->takeName(&kernel);
    kernel.replaceAllUsesWith(other);
    kernel.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses GlobalPointers::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function* kernel : kernels_of(module))
        if (!kernel->isDeclaration() && llvm::any_of(kernel->args(), is_pointer_parameter)) rewrite(*kernel);
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
