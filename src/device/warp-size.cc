#include "device/warp-size.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {
namespace {

llvm::GlobalVariable* warp_size(llvm::Module& module) {
    llvm::GlobalVariable* variable = module.getGlobalVariable("warpSize");
    return variable && variable->isDeclaration() ? variable : nullptr;
}

void replace_loads(llvm::Value& address) {
    for (llvm::User* user : llvm::make_early_inc_range(address.users())) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType()->isIntegerTy(32)) {
            llvm::IRBuilder<> builder(load);
            load->replaceAllUsesWith(
                builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize, {}, {}));
            load->eraseFromParent();
        } else if (llvm::isa<llvm::AddrSpaceCastOperator>(user)) {
            replace_loads(*user);
        }
    }
}

}  // namespace

llvm::PreservedAnalyses WarpSize::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    llvm::GlobalVariable* variable = warp_size(module);
    if (!variable) return llvm::PreservedAnalyses::all();
    replace_loads(*variable);
    variable->removeDeadConstantUsers();
    return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses WarpSizeVariable::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    WarpSize().run(module, analyses);
    llvm::GlobalVariable* variable = warp_size(module);
    if (!variable) return llvm::PreservedAnalyses::all();
    if (variable->use_empty()) {
        variable->eraseFromParent();
    } else {
        variable->setInitializer(llvm::ConstantInt::get(variable->getValueType(), 32));
        variable->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
