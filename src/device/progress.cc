#include "device/progress.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {
namespace {

constexpr const char* no_endless_loops = "llvm.loop.mustprogress";

// Text that a thread may not come back from.
bool may_end(const llvm::InlineAsm& text) {
    const llvm::StringRef code = text.getAsmString();
    return code.contains("exit") || code.contains("trap");
}

}  // namespace

llvm::PreservedAnalyses Progress::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module) {
        function.removeFnAttr(llvm::Attribute::MustProgress);
        if (function.getName().starts_with("llvm.nvvm.") && !function.doesNotReturn())
            function.setWillReturn();
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
                const auto* text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
                if (text && !may_end(*text)) call->addFnAttr(llvm::Attribute::WillReturn);
            }
            if (llvm::MDNode* loop = instruction.getMetadata(llvm::LLVMContext::MD_loop))
                instruction.setMetadata(
                    llvm::LLVMContext::MD_loop,
                    llvm::makePostTransformationMetadata(module.getContext(), loop, {no_endless_loops}, {}));
        }
    }
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
