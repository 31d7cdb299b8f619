#include "device/library-calls.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {
namespace {

bool only_computes(const llvm::Function& function) {
    if (!function.isDeclaration() || !function.getName().starts_with("__nv_")) return false;
    return llvm::none_of(function.args(),
                         [](const llvm::Argument& argument) { return argument.getType()->isPointerTy(); });
}

}  // namespace

llvm::PreservedAnalyses LibraryCalls::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module) {
        if (!only_computes(function)) continue;
        function.setDoesNotAccessMemory();
        function.setDoesNotThrow();
        function.setWillReturn();
        function.setNoSync();
        function.setNotConvergent();
        // clang marks each call, too.
        for (llvm::User* user : function.users())
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->setNotConvergent();
    }
    // As does assembly that is not volatile.
    for (llvm::Function& function : module)
        for (llvm::Instruction& instruction : llvm::instructions(function))
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
                if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
                    assembly && !assembly->hasSideEffects())
                    call->setNotConvergent();
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
