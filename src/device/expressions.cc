#include "device/expressions.h"

#include <llvm/IR/Operator.h>

namespace lockstep::device {
namespace {

// Costs nothing but time, wherever it is done.
bool is_arithmetic(const llvm::Value* value) {
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (operation) return !operation->isIntDivRem() && operation->getType()->isIntegerTy();
    const auto* cast = llvm::dyn_cast<llvm::CastInst>(value);
    if (cast) return cast->getType()->isIntegerTy() && cast->getOperand(0)->getType()->isIntegerTy();
    return llvm::isa<llvm::GetElementPtrInst>(value);
}

}  // namespace

Expressions::Expressions(const llvm::DominatorTree& tree) : tree_(tree) {
    for (const llvm::DomTreeNode* node : llvm::depth_first(tree.getRootNode()))
        for (const llvm::Instruction& instruction : *node->getBlock()) number(&instruction);
}

unsigned Expressions::number(const llvm::Value* value) {
    if (const auto known = numbers_.find(value); known != numbers_.end()) return known->second;
    unsigned number = next_++;
    if (is_arithmetic(value)) {
        const auto* instruction = llvm::cast<llvm::Instruction>(value);
        Key key = {instruction->getOpcode(), reinterpret_cast<std::uintptr_t>(instruction->getType())};
        if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
            key.push_back(reinterpret_cast<std::uintptr_t>(address->getSourceElementType()));
        std::vector<std::uintptr_t> operands;
        for (const llvm::Value* operand : instruction->operands()) operands.push_back(this->number(operand));
        if (instruction->isCommutative()) llvm::sort(operands);
        key.insert(key.end(), operands.begin(), operands.end());
        number = known_.try_emplace(std::move(key), number).first->second;
    }
    numbers_[value] = number;
    return number;
}

bool Expressions::is_possible(const llvm::Value* value, const llvm::Instruction* at) const {
    if (tree_.dominates(value, at)) return true;
    return is_arithmetic(value) && llvm::all_of(llvm::cast<llvm::Instruction>(value)->operands(),
                                                [&](const llvm::Use& use) { return is_possible(use, at); });
}

llvm::Value* Expressions::bring(llvm::Value* value, llvm::Instruction* at) const {
    if (tree_.dominates(value, at)) return value;
    llvm::Instruction* const copy = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(bring(operand, at));
    copy->insertBefore(at->getIterator());
    copy->dropPoisonGeneratingFlags();  // that held behind a condition
    return copy;
}

llvm::Instruction* Expressions::place_before(llvm::ArrayRef<llvm::Instruction*> instructions) const {
    llvm::BasicBlock* block = instructions.front()->getParent();
    for (llvm::Instruction* instruction : instructions)
        block = tree_.findNearestCommonDominator(block, instruction->getParent());
    for (llvm::Instruction& instruction : *block)
        if (llvm::is_contained(instructions, &instruction)) return &instruction;
    return block->getTerminator();
}

}  // namespace lockstep::device
