#include "device/convergence.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {
namespace {

constexpr const char* mark = "lockstep-convergent";

// Whether anything changed. A function's own attribute counts for its calls.
template <class Function, class Call>
llvm::PreservedAnalyses for_all(llvm::Module& module, Function of_function, Call of_call) {
    for (llvm::Function& function : module) {
        of_function(function);
        for (llvm::Instruction& instruction : llvm::instructions(function))
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) of_call(*call);
    }
    return llvm::PreservedAnalyses::none();
}

}  // namespace

llvm::PreservedAnalyses ForgetConvergence::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return for_all(
        module,
        [](llvm::Function& function) {
            if (!function.isConvergent()) return;
            function.setNotConvergent();
            function.addFnAttr(mark);
        },
        [](llvm::CallBase& call) {
            if (!call.hasFnAttr(llvm::Attribute::Convergent)) return;
            call.removeFnAttr(llvm::Attribute::Convergent);
            call.addFnAttr(llvm::Attribute::get(call.getContext(), mark));
        });
}

llvm::PreservedAnalyses RecallConvergence::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return for_all(
        module,
        [](llvm::Function& function) {
            if (!function.hasFnAttribute(mark)) return;
            function.removeFnAttr(mark);
            function.setConvergent();
        },
        [](llvm::CallBase& call) {
            if (!call.getAttributes().hasFnAttr(mark)) return;
            call.removeFnAttr(mark);
            call.addFnAttr(llvm::Attribute::Convergent);
        });
}

}  // namespace lockstep::device
