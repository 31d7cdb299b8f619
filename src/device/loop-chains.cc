#include "device/loop-chains.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "device/changes.h"
#include "device/hidden-values.h"

namespace lockstep::device {
namespace {

constexpr const char* hidden_start = "chain";

// Loops of a chain: 2^10 questions at most.
constexpr unsigned longest_chain = 10;

// Whether the value is the variable plus what the loop does not change.
bool is_next(const llvm::Value* value, const llvm::PHINode& variable, const llvm::Loop& loop) {
    while (value != &variable) {
        const auto* sum = llvm::dyn_cast<llvm::Instruction>(value);
        if (!sum || !loop.contains(sum)) return false;
        const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(sum);
        const bool adds = operation && (operation->getOpcode() == llvm::Instruction::Add ||
                                        operation->getOpcode() == llvm::Instruction::Sub ||
                                        operation->getOpcode() == llvm::Instruction::Or);
        if (!adds && !llvm::isa<llvm::GetElementPtrInst>(sum)) return false;
        const llvm::Value* changes = nullptr;
        for (const llvm::Value* part : sum->operands()) {
            if (loop.isLoopInvariant(part)) continue;
            if (changes) return false;
            changes = part;
        }
        if (!changes) return false;
        value = changes;
    }
    return true;
}

// What scalar evolution looks through.
bool is_followed(const llvm::Instruction& value) {
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::SelectInst,
                     llvm::PHINode, llvm::MinMaxIntrinsic>(value);
}

class Chains {
  public:
    explicit Chains(const llvm::LoopInfo& loops) : loops_(loops) {}

    // Of a block behind those that lead to it.
    void cut(llvm::BasicBlock& block) {
        const llvm::Loop* const loop = loops_.isLoopHeader(&block) ? loops_.getLoopFor(&block) : nullptr;
        for (llvm::Instruction& value : block) {
            auto* const variable = loop ? llvm::dyn_cast<llvm::PHINode>(&value) : nullptr;
            if (variable && loop->getLoopPreheader() && loop->getLoopLatch())
                start(*variable, *loop);
            else if (is_followed(value))
                note(value, longest(value));
        }
    }

    llvm::SmallVector<llvm::PHINode*> cut_ones;

  private:
    unsigned loops_before(const llvm::Value* value) const { return lengths_.lookup(value); }

    unsigned longest(const llvm::Instruction& value) const {
        unsigned length = 0;
        for (const llvm::Value* part : value.operands()) length = std::max(length, loops_before(part));
        return length;
    }

    void note(const llvm::Value& value, unsigned length) {
        if (length) lengths_[&value] = length;
    }

    void start(llvm::PHINode& variable, const llvm::Loop& loop) {
        llvm::Type* const type = variable.getType();
        if (!type->isIntegerTy() && !type->isPointerTy()) return;
        if (!is_next(variable.getIncomingValueForBlock(loop.getLoopLatch()), variable, loop)) return;
        llvm::BasicBlock* const before = loop.getLoopPreheader();
        llvm::Value* const first = variable.getIncomingValueForBlock(before);
        unsigned length = loops_before(first) + 1;
        if (length > longest_chain) {
            llvm::IRBuilder<> builder(before->getTerminator());
            variable.setIncomingValueForBlock(before, hide(first, hidden_start, builder));
            cut_ones.push_back(&variable);
            length = 1;
        }
        note(variable, length);
    }

    const llvm::LoopInfo& loops_;
    llvm::DenseMap<const llvm::Value*, unsigned> lengths_;  // chains that a value depends on, none: 0
};

}  // namespace

llvm::SmallVector<llvm::PHINode*> cut_loop_chains(llvm::Function& function, const llvm::LoopInfo& loops) {
    Chains chains(loops);
    if (loops.empty()) return {};
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
        chains.cut(*block);
    return chains.cut_ones;
}

llvm::PreservedAnalyses CutLoopChains::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
    return same_branches(
        !cut_loop_chains(function, analyses.getResult<llvm::LoopAnalysis>(function)).empty());
}

llvm::PreservedAnalyses FreezeLoopChains::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !is_hidden(*call, hidden_start)) return false;
        call->replaceAllUsesWith(llvm::IRBuilder<>(call).CreateFreeze(call->getArgOperand(0)));
        call->eraseFromParent();
        return true;
    }));
}

}  // namespace lockstep::device
