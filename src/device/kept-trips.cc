#include "device/kept-trips.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"
#include "device/expressions.h"
#include "device/guards.h"

namespace lockstep::device {
namespace {

constexpr const char* keeps_trip = "lockstep-trip";

// A load of a trip that is one block and writes nothing, from where the loop's condition has loaded.
llvm::LoadInst* second_load(const llvm::Loop& loop, Expressions& expressions) {
    llvm::BasicBlock* const trip = loop.getLoopLatch();
    if (!trip || loop.getNumBlocks() != 2 || !loop.isLoopExiting(loop.getHeader()) ||
        trip->getSinglePredecessor() != loop.getHeader() ||
        llvm::any_of(*trip, [](const llvm::Instruction& each) { return each.mayHaveSideEffects(); }))
        return nullptr;
    for (llvm::Instruction& instruction : *trip) {
        auto* const second = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!second) continue;
        for (const llvm::Instruction& other : *loop.getHeader())
            if (const auto* first = llvm::dyn_cast<llvm::LoadInst>(&other);
                first && first->getType() == second->getType() &&
                expressions.number(first->getPointerOperand()) ==
                    expressions.number(second->getPointerOperand()))
                return second;
    }
    return nullptr;
}

}  // namespace

llvm::PreservedAnalyses KeepTrips::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    Expressions expressions(analyses.getResult<llvm::DominatorTreeAnalysis>(function));
    bool changed = false;
    for (const llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
        if (llvm::LoadInst* load = second_load(*loop, expressions)) {
            guard(*load, keeps_trip);
            changed = true;
        }
    return same_branches(changed);
}

llvm::PreservedAnalyses FreeTrips::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(unguard(function, keeps_trip));
}

}  // namespace lockstep::device
