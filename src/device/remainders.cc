#include "device/remainders.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {
namespace {

constexpr const char* hidden = "lockstep.divisor.";

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

llvm::Function* hiding_function(llvm::Module& module, llvm::Type* type) {
    const std::string name = hidden + std::to_string(type->getIntegerBitWidth());
    auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type, type).getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(llvm::Attribute::Speculatable);
    function->addFnAttr(llvm::Attribute::NoSync);
    return function;
}

}  // namespace

llvm::PreservedAnalyses HideDivisors::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (!is_division(instruction) || !instruction.getType()->isIntegerTy()) continue;
        llvm::Value* divisor = instruction.getOperand(1);
        if (!comes_from_loop(divisor)) continue;
        llvm::IRBuilder<> builder(&instruction);
        instruction.setOperand(
            1, builder.CreateCall(hiding_function(*function.getParent(), divisor->getType()), {divisor}));
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses ShowDivisors::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || !callee->getName().starts_with(hidden)) continue;
        if (!all && !llvm::isa<llvm::Constant>(call->getArgOperand(0))) continue;
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
