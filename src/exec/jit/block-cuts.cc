#include "exec/jit/block-cuts.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace lockstep::exec::jit {
namespace {

// In machine instructions, about.
constexpr std::uint64_t longest_block = 1024;

// How many machine instructions it becomes: one for each register that its value, or what it stores, takes.
std::uint64_t weight(const llvm::Instruction& inst, std::uint64_t register_bits) {
    const llvm::Type* type = inst.getType();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst))
        type = store->getValueOperand()->getType();
    return std::max<std::uint64_t>(1, type->getPrimitiveSizeInBits().getFixedValue() / register_bits);
}

}  // namespace

llvm::PreservedAnalyses BlockCutsPass::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
    const auto bits = analyses.getResult<llvm::TargetIRAnalysis>(function)
                          .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
                          .getFixedValue();
    bool cut = false;
    for (auto block = function.begin(); block != function.end(); ++block) {
        std::uint64_t length = 0;
        for (llvm::Instruction& inst : *block) {
            if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(inst)) continue;
            length += weight(inst, std::max<std::uint64_t>(bits, 128));
            if (length <= longest_block || inst.isTerminator()) continue;
            llvm::BasicBlock* rest = block->splitBasicBlock(&inst, "cut");
            llvm::BlockAddress::get(rest);  // blocks whose address somebody may have are not merged again
            cut = true;
            break;
        }
    }
    return cut ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::exec::jit
