#include "device/carried-loads.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "device/changes.h"
#include "device/count-down.h"
#include "device/unroll.h"

namespace lockstep::device {
namespace {

class Carrier {
  public:
    Carrier(llvm::Loop& loop, llvm::ScalarEvolution& scev, llvm::AAResults& aliases)
        : loop(loop), body(*loop.getHeader()), scev(scev), aliases(aliases) {}

    bool run() {
        bool changed = false;
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(body))
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple())
                changed |= forward(*load) || carry(*load);
        return changed;
    }

  private:
    // What this trip has stored or loaded there before, at an address that is written otherwise.
    bool forward(llvm::LoadInst& load) {
        llvm::Value* const value =
            value_at(scev.getSCEV(load.getPointerOperand()), load, std::next(load.getReverseIterator()));
        if (!value) return false;
        load.replaceAllUsesWith(value);
        load.eraseFromParent();
        return true;
    }

    bool carry(llvm::LoadInst& load) {
        const auto* address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev.getSCEV(load.getPointerOperand()));
        if (!address || address->getLoop() != &loop || !address->isAffine() ||
            !llvm::isa<llvm::SCEVConstant>(scev.removePointerBase(address->getStart())) ||
            is_written_before(load))
            return false;
        llvm::Value* const next = value_at(address->getPostIncExpr(scev), load, body.rbegin());
        if (!next) return false;
        llvm::Instruction* const before = loop.getLoopPreheader()->getTerminator();
        llvm::SCEVExpander expander(scev, body.getDataLayout(), "carried");
        if (!expander.isSafeToExpandAt(address->getStart(), before)) return false;
        llvm::Value* const start =
            expander.expandCodeFor(address->getStart(), load.getPointerOperandType(), before);
        auto* const first =
            new llvm::LoadInst(load.getType(), start, "", false, load.getAlign(), before->getIterator());
        first->setDebugLoc(load.getDebugLoc());
        auto* const carried = llvm::PHINode::Create(load.getType(), 2, "", body.begin());
        carried->addIncoming(first, before->getParent());
        carried->addIncoming(next == &load ? carried : next, &body);
        load.replaceAllUsesWith(carried);
        load.eraseFromParent();
        return true;
    }

    // Whether something may write there before the trip loads it.
    bool is_written_before(const llvm::LoadInst& load) {
        for (const llvm::Instruction& instruction : body) {
            if (&instruction == &load) return false;
            if (writes(instruction, llvm::MemoryLocation::get(&load))) return true;
        }
        return true;
    }

    // What memory holds there behind `last`, if the trip has stored or loaded it until then.
    llvm::Value* value_at(const llvm::SCEV* address, const llvm::LoadInst& load,
                          llvm::BasicBlock::reverse_iterator last) {
        for (llvm::Instruction& instruction : llvm::make_range(last, body.rend())) {
            llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
            if (pointer && scev.getSCEV(pointer) == address &&
                llvm::getLoadStoreType(&instruction) == load.getType()) {
                auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
                const bool simple =
                    store ? store->isSimple() : llvm::cast<llvm::LoadInst>(instruction).isSimple();
                if (!simple) return nullptr;
                return store ? store->getValueOperand() : &instruction;
            }
            if (instruction.mayWriteToMemory() && !is_apart(instruction, address, load)) return nullptr;
        }
        return nullptr;
    }

    // Whether a write behind it leaves the address alone: another element, or other memory.
    bool is_apart(llvm::Instruction& instruction, const llvm::SCEV* address, const llvm::LoadInst& load) {
        auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (store && store->getValueOperand()->getType() == load.getType()) {
            const auto* distance = llvm::dyn_cast<llvm::SCEVConstant>(
                scev.getMinusSCEV(scev.getSCEV(store->getPointerOperand()), address));
            const auto size = body.getDataLayout().getTypeStoreSize(load.getType());
            if (distance && distance->getAPInt().abs().uge(size.getFixedValue())) return true;
        }
        // Not where this trip's element is, but anywhere in its memory.
        return !writes(instruction, llvm::MemoryLocation::getBeforeOrAfter(load.getPointerOperand()));
    }

    bool writes(const llvm::Instruction& instruction, const llvm::MemoryLocation& location) {
        return instruction.mayWriteToMemory() &&
               llvm::isModSet(aliases.getModRefInfo(&instruction, location));
    }

    llvm::Loop& loop;
    llvm::BasicBlock& body;
    llvm::ScalarEvolution& scev;
    llvm::AAResults& aliases;
};

}  // namespace

llvm::PreservedAnalyses CarriedLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (awaits_inlining(function)) return llvm::PreservedAnalyses::all();
    auto& scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto& aliases = analyses.getResult<llvm::AAManager>(function);
    bool changed = false;
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        if (loop->getNumBlocks() == 1 && loop->getLoopPreheader() &&
            !llvm::getBooleanLoopAttribute(loop, is_remainder))
            changed |= Carrier(*loop, scev, aliases).run();
    }
    return same_branches(changed);
}

}  // namespace lockstep::device
