#include "device/plain-starts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "device/changes.h"
#include "device/count-down.h"
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

// An array, or a row of it, and bytes.
struct Start {
    llvm::Value* array;
    llvm::GetElementPtrInst* row;  // or none
    llvm::Value* index;            // of the row, without bytes
    llvm::APInt offset;
};

// The index without the bytes that are added to it.
llvm::Value* plain_index(llvm::GetElementPtrInst& element, llvm::APInt& offset) {
    llvm::Value* const index = element.getOperand(1);
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
    const auto* bytes = sum && sum->getOpcode() == llvm::Instruction::Add
                            ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1))
                            : nullptr;
    if (!bytes || !element.getSourceElementType()->isIntegerTy(8) ||
        bytes->getBitWidth() != offset.getBitWidth())
        return index;
    offset += bytes->getValue();
    return sum->getOperand(0);
}

Start start_of(llvm::Value& pointer, const llvm::DataLayout& layout) {
    Start start{&pointer, nullptr, nullptr, llvm::APInt(layout.getIndexTypeSizeInBits(pointer.getType()), 0)};
    start.array = pointer.stripAndAccumulateConstantOffsets(layout, start.offset, true);
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(start.array);
        element && element->getNumIndices() == 1) {
        start.row = element;
        start.index = plain_index(*element, start.offset);
        start.array =
            element->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, start.offset, true);
    }
    return start;
}

// The main part of a loop with a remainder behind it ends on a counter of its own; that of one with a
// remainder before it as the loop of the source.
bool counts_trips(const llvm::Loop& loop) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
    const auto* end =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    return end && end->isEquality();
}

// Whether the first trip reads or writes where `address` is without the bytes.
bool accesses_start(const llvm::PHINode& address, const Start& start) {
    return llvm::any_of(address.users(), [&](const llvm::User* user) {
        const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
        llvm::APInt distance(start.offset.getBitWidth(), 0);
        return element && element->accumulateConstantOffset(address.getDataLayout(), distance) &&
               distance == -start.offset;
    });
}

// Whether accesses are to have the bytes.
bool is_plain(const llvm::PHINode& address, const Start& start, const llvm::Loop& loop) {
    if (llvm::getBooleanLoopAttribute(&loop, has_remainder) && counts_trips(loop) &&
        accesses_start(address, start))
        return true;
    const bool is_variable = llvm::isa<llvm::Argument, llvm::GlobalVariable, llvm::AllocaInst>(start.array);
    return (!start.row || is_row(start.row->getOperand(1))) && (is_variable || is_hidden_step(*start.array));
}

llvm::Value* row_at(const Start& start, llvm::Value* array) {
    if (!start.row) return array;
    auto* const row = llvm::cast<llvm::GetElementPtrInst>(start.row->clone());
    row->setOperand(0, array);
    row->setOperand(1, start.index);
    row->insertBefore(start.row);
    return row;
}

// The bytes as part of the array's address, before all loops.
bool move_array(llvm::PHINode& address, const Start& start, llvm::Loop& loop) {
    const llvm::Loop& outermost = *loop.getOutermostLoop();
    llvm::BasicBlock* const before = outermost.getLoopPreheader();
    if (loop.isOutermost() || !llvm::getBooleanLoopAttribute(&loop, has_remainder) || !start.row || !before ||
        !outermost.isLoopInvariant(start.array))
        return false;
    llvm::IRBuilder<> builder(before->getTerminator());
    llvm::Value* const moved = builder.CreatePtrAdd(start.array, builder.getInt(start.offset));
    address.setIncomingValueForBlock(loop.getLoopPreheader(), row_at(start, moved));
    return true;
}

bool make_plain(llvm::PHINode& address, llvm::Loop& loop) {
    if (!address.getType()->isPointerTy()) return false;
    llvm::Value* const first = address.getIncomingValueForBlock(loop.getLoopPreheader());
    const Start start = start_of(*first, address.getDataLayout());
    const auto* step =
        llvm::dyn_cast<llvm::GetElementPtrInst>(address.getIncomingValueForBlock(loop.getLoopLatch()));
    if (start.offset.isZero() || start.array->getType() != address.getType() || !step ||
        step->getPointerOperand() != &address)
        return false;
    if (is_plain(address, start, loop)) {
        llvm::IRBuilder<> builder(address.getParent(), address.getParent()->getFirstInsertionPt());
        llvm::Value* const moved = builder.CreatePtrAdd(&address, builder.getInt(start.offset));
        address.replaceUsesWithIf(
            moved, [&](const llvm::Use& use) { return use.getUser() != step && use.getUser() != moved; });
        address.setIncomingValueForBlock(loop.getLoopPreheader(), row_at(start, start.array));
    } else if (!move_array(address, start, loop)) {
        return false;
    }
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
