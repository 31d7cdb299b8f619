#include "device/promotion.h"

#include <llvm/Analysis/AliasSetTracker.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/MemorySSAUpdater.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/PredIteratorCache.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace lockstep::device {
namespace {

struct Place {
    llvm::SmallSetVector<llvm::Value*, 8> pointers;  // to the same memory
    bool others_read = false;
};

template <class Visit>
void visit_accesses(const llvm::Loop& loop, const llvm::MemorySSA& memory, Visit visit) {
    for (const llvm::BasicBlock* block : loop.blocks())
        if (const auto* accesses = memory.getBlockAccesses(block))
            for (const llvm::MemoryAccess& access : *accesses)
                if (const auto* use = llvm::dyn_cast<llvm::MemoryUseOrDef>(&access))
                    visit(*use->getMemoryInst());
}

// What the loop writes at an address that does not change, unless something else may write it, too.
std::vector<Place> places_of(const llvm::Loop& loop, const llvm::MemorySSA& memory,
                             llvm::AAResults& aliases) {
    llvm::BatchAAResults batch(aliases);
    llvm::AliasSetTracker tracker(batch);
    llvm::SmallPtrSet<const llvm::Instruction*, 16> own;
    visit_accesses(loop, memory, [&](llvm::Instruction& access) {
        const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access);
        if (!pointer || llvm::isa<llvm::ConstantData>(pointer) || !loop.isLoopInvariant(pointer)) return;
        own.insert(&access);
        tracker.add(&access);
    });
    struct Candidate {
        const llvm::AliasSet* set;
        bool others_read;
    };
    std::vector<Candidate> candidates;
    for (const llvm::AliasSet& set : tracker)
        if (!set.isForwardingAliasSet() && set.isMod() && set.isMustAlias())
            candidates.push_back({&set, false});
    if (candidates.empty()) return {};
    visit_accesses(loop, memory, [&](llvm::Instruction& access) {
        if (own.contains(&access)) return;
        std::erase_if(candidates, [&](Candidate& candidate) {
            const llvm::ModRefInfo effect = candidate.set->aliasesUnknownInst(&access, batch);
            candidate.others_read |= llvm::isRefSet(effect);
            return llvm::isModSet(effect) || (llvm::isRefSet(effect) && !candidate.set->isRef());
        });
    });
    std::vector<Place> places;
    for (const Candidate& candidate : candidates) {
        places.push_back({{}, candidate.others_read});
        for (const llvm::Value* pointer : candidate.set->getPointers())
            places.back().pointers.insert(const_cast<llvm::Value*>(pointer));
    }
    return places;
}

}  // namespace

llvm::PreservedAnalyses Promotion::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                       llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
    if (!loop.isLoopSimplifyForm() || !results.MSSA) return llvm::PreservedAnalyses::all();
    llvm::SmallVector<llvm::BasicBlock*, 8> exits;
    loop.getUniqueExitBlocks(exits);
    llvm::SmallVector<llvm::BasicBlock::iterator, 8> ends;
    llvm::SmallVector<llvm::MemoryAccess*, 8> memory_ends(exits.size());
    for (llvm::BasicBlock* exit : exits) ends.push_back(exit->getFirstInsertionPt());

    llvm::MemorySSAUpdater memory(results.MSSA);
    llvm::ICFLoopSafetyInfo safety;
    safety.computeLoopSafetyInfo(&loop);
    llvm::PredIteratorCache predecessors;
    llvm::OptimizationRemarkEmitter remarks(loop.getHeader()->getParent());
    bool promoted = false;
    // What has become a register may make the address of other memory one that does not change.
    for (bool again = true; again; promoted |= again) {
        again = false;
        for (const Place& place : places_of(loop, *results.MSSA, results.AA))
            if (kind_ == any || !place.others_read)
                again |= llvm::promoteLoopAccessesToScalars(
                    place.pointers, exits, ends, memory_ends, predecessors, &results.LI, &results.DT,
                    &results.AC, &results.TLI, &results.TTI, &loop, memory, &safety, &remarks,
                    /*AllowSpeculation=*/false, place.others_read);
    }
    if (!promoted) return llvm::PreservedAnalyses::all();
    llvm::formLCSSARecursively(loop, results.DT, &results.LI, &results.SE);
    results.SE.forgetLoopDispositions();
    llvm::PreservedAnalyses preserved = llvm::getLoopPassPreservedAnalyses();
    preserved.preserve<llvm::MemorySSAAnalysis>();
    return preserved;
}

}  // namespace lockstep::device
