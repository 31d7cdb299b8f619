#include "device/for-checks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {

llvm::PreservedAnalyses KeepUndefinedReads::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    constexpr unsigned shared = 3;
    for (llvm::GlobalVariable& variable : module.globals())
        if (variable.getAddressSpace() == shared && !variable.isDeclaration())
            variable.setExternallyInitialized(true);
    return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses LoopLines::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        const llvm::DebugLoc start = loop->getStartLoc();
        llvm::SmallVector<llvm::BasicBlock*> latches;
        loop->getLoopLatches(latches);
        for (llvm::BasicBlock* latch : latches)
            if (start && loop->getLoopID()) latch->getTerminator()->setDebugLoc(start);
    }
    return llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
