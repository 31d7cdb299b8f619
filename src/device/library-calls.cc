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

bool is_of_heap(const llvm::Function& function) {
    return function.isDeclaration() && (function.getName() == "malloc" || function.getName() == "free");
}

void make_opaque(llvm::Function& function) {
    function.removeFnAttr(llvm::Attribute::AllocKind);
    function.removeFnAttr(llvm::Attribute::AllocSize);
    for (llvm::User* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->addFnAttr(llvm::Attribute::NoBuiltin);
}

// A warp executes it together. LLVM knows that of shuffles and votes, and not of matrices: it would move a
// product into the branch that alone uses its result.
bool is_of_matrices(const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    return name.starts_with("llvm.nvvm.") && (name.contains("mma.") || name.contains("ldmatrix"));
}

}  // namespace

llvm::PreservedAnalyses LibraryCalls::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module) {
        if (is_of_heap(function)) make_opaque(function);
        if (is_of_matrices(function))
            for (llvm::User* user : function.users())
                if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
                    call->addFnAttr(llvm::Attribute::Convergent);
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
    // As does assembly that is not volatile, and not for a warp together.
    for (llvm::Function& function : module)
        for (llvm::Instruction& instruction : llvm::instructions(function))
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
                if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
                    assembly && !assembly->hasSideEffects() &&
                    !llvm::StringRef(assembly->getAsmString()).contains(".sync"))
                    call->setNotConvergent();
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
