#include "device/hidden-values.h"

#include <llvm/IR/Module.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr llvm::StringLiteral all = "lockstep.hidden.";

std::string prefix(llvm::StringRef why) { return (all + why + ".").str(); }

llvm::Function* hiding_function(llvm::Module& module, llvm::Type* type, llvm::StringRef why) {
    const std::string name =
        prefix(why) + (type->isPointerTy() ? "p" + std::to_string(type->getPointerAddressSpace())
                                           : std::to_string(type->getIntegerBitWidth()));
    auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type, type).getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(llvm::Attribute::Speculatable);
    function->addFnAttr(llvm::Attribute::NoSync);
    return function;
}

}  // namespace

llvm::CallInst* hide(llvm::Value* value, llvm::StringRef why, llvm::IRBuilderBase& builder) {
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(hiding_function(module, value->getType(), why), {value});
}

bool is_hidden(const llvm::User& value) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with(all);
}

bool is_hidden(const llvm::CallInst& call, llvm::StringRef why) {
    const llvm::Function* callee = call.getCalledFunction();
    return callee && callee->getName().starts_with(prefix(why));
}

bool show(llvm::Function& function, llvm::StringRef why,
          llvm::function_ref<bool(const llvm::CallInst&)> which) {
    return change_instructions(function, [&](llvm::Instruction& instruction) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !is_hidden(*call, why) || !which(*call)) return false;
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
        return true;
    });
}

}  // namespace lockstep::device
