#include "device/plain-starts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "device/changes.h"
#include "device/hidden-steps.h"

namespace lockstep::device {
namespace {

// A multiple of what is hidden, in another type perhaps.
bool is_row(const llvm::Value* index) {
    while (!is_hidden_step(*index)) {
        const auto* part = llvm::dyn_cast<llvm::Instruction>(index);
        const bool scales = part && (part->getOpcode() == llvm::Instruction::Shl ||
                                     part->getOpcode() == llvm::Instruction::Mul);
        if (!(scales && llvm::isa<llvm::ConstantInt>(part->getOperand(1))) &&
            !llvm::isa_and_present<llvm::CastInst>(part))
            return false;
        index = part->getOperand(0);
    }
    return true;
}

// A variable of the source, or a row of it that an outer loop steps to, and bytes.
struct Start {
    llvm::Value* variable;
    llvm::GetElementPtrInst* row;  // or none
    llvm::APInt offset;
};

std::optional<Start> start_of(llvm::Value* pointer, const llvm::DataLayout& layout) {
    Start start{pointer, nullptr, llvm::APInt(layout.getIndexTypeSizeInBits(pointer->getType()), 0)};
    start.variable = pointer->stripAndAccumulateConstantOffsets(layout, start.offset, true);
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(start.variable);
        element && element->getNumIndices() == 1 && is_row(element->getOperand(1))) {
        start.row = element;
        start.variable =
            element->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, start.offset, true);
    }
    const bool is_variable =
        llvm::isa<llvm::Argument, llvm::GlobalVariable, llvm::AllocaInst>(start.variable);
    return is_variable || is_hidden_step(*start.variable) ? std::optional(start) : std::nullopt;
}

bool make_plain(llvm::PHINode& address, llvm::Loop& loop) {
    if (!address.getType()->isPointerTy()) return false;
    llvm::Value* const first = address.getIncomingValueForBlock(loop.getLoopPreheader());
    const auto start = start_of(first, address.getDataLayout());
    const auto* step =
        llvm::dyn_cast<llvm::GetElementPtrInst>(address.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!start || start->offset.isZero() || start->variable->getType() != address.getType() || !step ||
        step->getPointerOperand() != &address)
        return false;
    llvm::IRBuilder<> builder(address.getParent(), address.getParent()->getFirstInsertionPt());
    llvm::Value* const moved = builder.CreatePtrAdd(&address, builder.getInt(start->offset));
    address.replaceUsesWithIf(
        moved, [&](const llvm::Use& use) { return use.getUser() != step && use.getUser() != moved; });
    llvm::Value* plain = start->variable;
    if (start->row) {
        auto* const row = llvm::cast<llvm::GetElementPtrInst>(start->row->clone());
        row->setOperand(0, plain);
        row->insertBefore(start->row);
        plain = row;
    }
    address.setIncomingValueForBlock(loop.getLoopPreheader(), plain);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(first);
    return true;
}

}  // namespace

llvm::PreservedAnalyses PlainStarts::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    bool changed = false;
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
        if (loop->getLoopPreheader() && loop->getLoopLatch())
            for (llvm::PHINode& phi : loop->getHeader()->phis()) changed |= make_plain(phi, *loop);
    return same_branches(changed);
}

}  // namespace lockstep::device
