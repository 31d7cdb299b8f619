#include "device/count-down.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// Whether another variable of its type steps in the loop; nvcc's strength reduction then has the loop end on
// one of them.
bool has_company(const llvm::PHINode& counter, const llvm::Loop& loop) {
    for (const llvm::PHINode& other : loop.getHeader()->phis()) {
        const auto* next =
            llvm::dyn_cast<llvm::BinaryOperator>(other.getIncomingValueForBlock(loop.getLoopLatch()));
        if (&other != &counter && other.getType() == counter.getType() && next &&
            next->getOpcode() == llvm::Instruction::Add && next->getOperand(0) == &other &&
            loop.isLoopInvariant(next->getOperand(1)))
            return true;
    }
    return false;
}

// counter + step, compared with what is the same in all trips
struct End {
    llvm::BasicBlock *before, *latch;
    llvm::ICmpInst* compare;
    llvm::BinaryOperator* next;
    llvm::PHINode* counter;
    llvm::ConstantInt* step;
    llvm::Value* end;
};

std::optional<End> end_of(llvm::Loop& loop) {
    llvm::BasicBlock* const latch = loop.getLoopLatch();
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    if (!latch || !before || !llvm::getBooleanLoopAttribute(&loop, has_remainder)) return {};
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    auto* const compare =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!compare || !compare->isEquality() || !compare->hasOneUse()) return {};
    const bool swapped = loop.isLoopInvariant(compare->getOperand(0));
    auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(compare->getOperand(swapped ? 1 : 0));
    llvm::Value* const end = compare->getOperand(swapped ? 0 : 1);
    if (!next || next->getOpcode() != llvm::Instruction::Add || !loop.isLoopInvariant(end) ||
        llvm::isa<llvm::Constant>(end))
        return {};
    auto* const counter = llvm::dyn_cast<llvm::PHINode>(next->getOperand(0));
    auto* const step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
    if (!counter || !step || counter->getParent() != loop.getHeader() ||
        counter->getIncomingValueForBlock(latch) != next)
        return {};
    return End{before, latch, compare, next, counter, step, end};
}

bool count_down(llvm::Loop& loop) {
    const auto found = end_of(loop);
    if (!found || has_company(*found->counter, loop)) return false;
    const auto [before, latch, compare, next, counter, step, end] = *found;
    auto* const branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    llvm::Type* const type = counter->getType();
    llvm::IRBuilder<> builder(before->getTerminator());
    llvm::Value* const trips = builder.CreateSub(end, counter->getIncomingValueForBlock(before));
    builder.SetInsertPoint(counter);
    llvm::PHINode* const left = builder.CreatePHI(type, 2);
    builder.SetInsertPoint(compare);
    llvm::Value* const left_next = builder.CreateSub(left, step);
    left->addIncoming(trips, before);
    left->addIncoming(left_next, latch);
    branch->setCondition(
        builder.CreateICmp(compare->getPredicate(), left_next, llvm::ConstantInt::get(type, 0)));
    compare->eraseFromParent();
    llvm::RecursivelyDeleteDeadPHINode(counter);
    return true;
}

// `i != end` as `i + -end != 0`.
bool end_by_sum(llvm::Loop& loop) {
    const auto found = end_of(loop);
    if (!found || !has_company(*found->counter, loop)) return false;
    llvm::Value* const minus_end = llvm::IRBuilder<>(found->before->getTerminator()).CreateNeg(found->end);
    found->compare->setOperand(0, llvm::IRBuilder<>(found->compare).CreateAdd(found->next, minus_end));
    found->compare->setOperand(1, llvm::ConstantInt::get(found->end->getType(), 0));
    return true;
}

template <class Change>
bool change_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Change change) {
    bool changed = false;
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
        changed |= change(*loop);
    return changed;
}

}  // namespace

llvm::PreservedAnalyses CountDown::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return same_branches(change_loops(function, analyses, count_down));
}

llvm::PreservedAnalyses EndBySum::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return same_branches(change_loops(function, analyses, end_by_sum));
}

}  // namespace lockstep::device
