#include "device/inline-limit.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

namespace lockstep::device {
namespace {

constexpr unsigned most_instructions = 20000;

unsigned size_of(const llvm::Function& function) {
    unsigned size = 0;
    for (const llvm::BasicBlock& block : function) size += block.sizeWithoutDebug();
    return size;
}

}  // namespace

llvm::PreservedAnalyses LimitInlining::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    unsigned size = size_of(function);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || callee->isDeclaration() || call->isNoInline()) continue;
        const unsigned larger = size + size_of(*callee);
        if (larger > most_instructions)
            call->setIsNoInline();
        else
            size = larger;
    }
    return llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
