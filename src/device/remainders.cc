#include "device/remainders.h"

#include "device/changes.h"
#include "device/hidden-values.h"

namespace lockstep::device {
namespace {

constexpr const char* hidden_divisor = "divisor";

bool is_division(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
        case llvm::Instruction::UDiv:
        case llvm::Instruction::URem:
        case llvm::Instruction::SDiv:
        case llvm::Instruction::SRem: return true;
        default: return false;
    }
}

// Whether the value is a loop's variable, or a multiple of one, in another type perhaps.
bool comes_from_loop(const llvm::Value* value) {
    while (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
        switch (instruction->getOpcode()) {
            case llvm::Instruction::PHI: return true;
            case llvm::Instruction::ZExt:
            case llvm::Instruction::SExt:
            case llvm::Instruction::Trunc: value = instruction->getOperand(0); continue;
            case llvm::Instruction::Shl:
            case llvm::Instruction::LShr:
            case llvm::Instruction::AShr:
            case llvm::Instruction::Mul:
            case llvm::Instruction::UDiv:
            case llvm::Instruction::SDiv: {
                const bool constant_first = llvm::isa<llvm::Constant>(instruction->getOperand(0));
                value = instruction->getOperand(constant_first);
                continue;
            }
            default: return false;
        }
    }
    return false;
}

}  // namespace

llvm::PreservedAnalyses HideDivisors::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (!is_division(instruction) || !instruction.getType()->isIntegerTy()) continue;
        llvm::Value* divisor = instruction.getOperand(1);
        if (!comes_from_loop(divisor)) continue;
        llvm::IRBuilder<> builder(&instruction);
        instruction.setOperand(1, hide(divisor, hidden_divisor, builder));
        changed = true;
    }
    return same_branches(changed);
}

llvm::PreservedAnalyses ShowDivisors::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(show(function, hidden_divisor, [this](const llvm::CallInst& divisor) {
        return all || llvm::isa<llvm::Constant>(divisor.getArgOperand(0));
    }));
}

}  // namespace lockstep::device
