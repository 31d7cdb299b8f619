#include "device/grid-constants.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>

namespace lockstep::device {
namespace {

// As include/host_defines.h spells it.
bool says_grid_constant(const llvm::Value* annotation) {
    const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(annotation->stripPointerCasts());
    if (!text || !text->hasInitializer()) return false;
    const auto* words = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
    return words && words->isCString() && words->getAsCString() == "grid_constant";
}

}  // namespace

llvm::PreservedAnalyses GridConstants::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    llvm::SmallVector<llvm::IntrinsicInst*> annotations;
    std::map<llvm::Function*, llvm::SmallVector<llvm::Metadata*>> parameters;
    llvm::Type* i32 = llvm::Type::getInt32Ty(module.getContext());
    for (llvm::Function& function : module)
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& instruction : block) {
                auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
                if (!call || call->getIntrinsicID() != llvm::Intrinsic::var_annotation ||
                    !says_grid_constant(call->getArgOperand(1)))
                    continue;
                annotations.push_back(call);
                auto* argument = llvm::dyn_cast<llvm::Argument>(call->getArgOperand(0)->stripPointerCasts());
                if (!argument || !argument->hasByValAttr()) continue;
                argument->addAttr(llvm::Attribute::get(module.getContext(), grid_constant));
                parameters[&function].push_back(
                    llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32, argument->getArgNo() + 1)));
            }
    for (llvm::IntrinsicInst* call : annotations) call->eraseFromParent();
    llvm::LLVMContext& context = module.getContext();
    for (auto& [kernel, numbers] : parameters)
        module.getOrInsertNamedMetadata("nvvm.annotations")
            ->addOperand(llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(kernel),
                                                     llvm::MDString::get(context, "grid_constant"),
                                                     llvm::MDNode::get(context, numbers)}));
    return annotations.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
