#include "device/constant-calls.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <cmath>
#include <optional>

#include "device/changes.h"

namespace lockstep::device {
namespace {

struct Function {
    llvm::StringRef name;  // of a double's; a float's has an f behind it
    double (*compute)(double);
};

// Not log2, as nvcc; what it rounds correctly (sqrt) or leaves to the GPU (rsqrt) is no call.
const Function functions[] = {
    {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},     {"asin", std::asin}, {"acos", std::acos},
    {"atan", std::atan}, {"sinh", std::sinh}, {"cosh", std::cosh},   {"tanh", std::tanh}, {"exp", std::exp},
    {"exp2", std::exp2}, {"log", std::log},   {"log10", std::log10},
};

std::optional<double> constant(const llvm::Value* value) {
    const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value);
    if (!number || !number->getValueAPF().isFinite()) return {};
    return number->getType()->isFloatTy() ? number->getValueAPF().convertToFloat()
                                          : number->getValueAPF().convertToDouble();
}

std::optional<double> intrinsic_value(const llvm::IntrinsicInst& call, double x) {
    switch (call.getIntrinsicID()) {
        case llvm::Intrinsic::nvvm_lg2_approx_f:
        case llvm::Intrinsic::nvvm_lg2_approx_ftz_f: return std::log2(x);
        case llvm::Intrinsic::nvvm_ex2_approx_f:
        case llvm::Intrinsic::nvvm_ex2_approx_ftz_f: return std::exp2(x);
        case llvm::Intrinsic::nvvm_sin_approx_f:
        case llvm::Intrinsic::nvvm_sin_approx_ftz_f: return std::sin(x);
        case llvm::Intrinsic::nvvm_cos_approx_f:
        case llvm::Intrinsic::nvvm_cos_approx_ftz_f: return std::cos(x);
        default: return {};
    }
}

std::optional<double> value_of(const llvm::CallBase& call) {
    const llvm::Function* const callee = call.getCalledFunction();
    if (!callee || call.arg_size() == 0 || call.arg_size() > 2) return {};
    const auto x = constant(call.getArgOperand(0));
    if (!x) return {};
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
        return intrinsic_value(*intrinsic, *x);
    llvm::StringRef name = callee->getName();
    if (!name.consume_front("__nv_")) return {};
    if (call.getType()->isFloatTy() && !name.consume_back("f")) return {};
    if (call.arg_size() == 2) {
        const auto y = constant(call.getArgOperand(1));
        return y && name == "pow" ? std::optional(std::pow(*x, *y)) : std::nullopt;
    }
    for (const Function& function : functions)
        if (function.name == name) return function.compute(*x);
    return {};
}

bool compute(llvm::Instruction& instruction) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const bool is_number = call && (call->getType()->isFloatTy() || call->getType()->isDoubleTy());
    const auto value = is_number ? value_of(*call) : std::nullopt;
    if (!value || !std::isfinite(*value)) return false;
    // Rounded once: to a float, too.
    call->replaceAllUsesWith(llvm::ConstantFP::get(call->getType(), *value));
    call->eraseFromParent();
    return true;
}

// What becomes constant with a call may be the argument of the next.
bool fold(llvm::Instruction& instruction, const llvm::DataLayout& layout) {
    if (compute(instruction)) return true;
    llvm::Constant* const value = llvm::ConstantFoldInstruction(&instruction, layout);
    if (!value) return false;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
    return true;
}

}  // namespace

llvm::PreservedAnalyses ConstantCalls::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    if (llvm::none_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
            return llvm::isa<llvm::CallBase>(instruction);
        }))
        return llvm::PreservedAnalyses::all();
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        return !instruction.mayHaveSideEffects() && !instruction.isTerminator() && fold(instruction, layout);
    }));
}

}  // namespace lockstep::device
