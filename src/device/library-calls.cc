#include "device/library-calls.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {
namespace {

bool only_computes(const llvm::Function& function) {
    if (!function.isDeclaration() || !function.getName().starts_with("__nv_")) return false;
    return llvm::none_of(function.args(),
                         [](const llvm::Argument& argument) { return argument.getType()->isPointerTy(); });
}

bool is_of_heap(const llvm::Function& function) {
    return function.isDeclaration() && (function.getName() == "malloc" || function.getName() == "free");
}

void make_opaque(llvm::Function& function) {
    function.removeFnAttr(llvm::Attribute::AllocKind);
    function.removeFnAttr(llvm::Attribute::AllocSize);
    for (llvm::User* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->addFnAttr(llvm::Attribute::NoBuiltin);
}

}  // namespace

llvm::PreservedAnalyses LibraryCalls::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module) {
        if (is_of_heap(function)) make_opaque(function);
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
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
