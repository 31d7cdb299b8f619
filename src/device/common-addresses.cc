#include "device/common-addresses.h"

#include <llvm/ADT/MapVector.h>

#include "device/changes.h"
#include "device/expressions.h"

namespace lockstep::device {

llvm::PreservedAnalyses CommonAddresses::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
    Expressions expressions(analyses.getResult<llvm::DominatorTreeAnalysis>(function));
    llvm::MapVector<unsigned, llvm::SmallVector<llvm::Instruction*, 4>> places;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        if (address && !address->hasAllConstantIndices())
            places[expressions.number(address)].push_back(&instruction);
    }
    bool changed = false;
    for (const auto& [number, same] : places) {
        if (same.size() < 2) continue;
        llvm::Instruction* const at = expressions.place_before(same);
        if (!expressions.is_possible(same.front(), at)) continue;
        llvm::Value* const once = expressions.bring(same.front(), at);
        for (llvm::Instruction* instruction : same)
            if (instruction != once) instruction->replaceAllUsesWith(once);
        changed = true;
    }
    return same_branches(changed);
}

}  // namespace lockstep::device
