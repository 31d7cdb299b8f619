#include "device/variable-addresses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include "device/changes.h"
#include "device/first-blocks.h"

namespace lockstep::device {
namespace {

// An access takes the variable itself as its address.
bool needs_register(const llvm::Use& use) {
    const auto& user = llvm::cast<llvm::Instruction>(*use.getUser());
    if (llvm::isa<llvm::PHINode>(user)) return false;
    if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&user))
        return !address->hasAllConstantIndices();
    return llvm::isa<llvm::PtrToIntInst, llvm::AddrSpaceCastInst>(user);
}

}  // namespace

llvm::PreservedAnalyses VariableAddresses::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    llvm::MapVector<llvm::GlobalVariable*, std::vector<llvm::Use*>> uses;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (tree.isReachableFromEntry(instruction.getParent()))
            for (llvm::Use& use : instruction.operands())
                if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(use);
                    variable && needs_register(use))
                    uses[variable].push_back(&use);
    bool changed = false;
    for (const auto& [variable, places] : uses) {
        llvm::SmallPtrSet<llvm::BasicBlock*, 8> blocks;
        const auto block_of = [](const llvm::Use* use) {
            return llvm::cast<llvm::Instruction>(use->getUser())->getParent();
        };
        for (const llvm::Use* use : places) blocks.insert(block_of(use));
        llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> registers;
        for (llvm::Use* use : places) {
            llvm::BasicBlock* const first = first_with(blocks, block_of(use), tree);
            if (first == block_of(use)) continue;
            llvm::Value*& address = registers[first];
            // LLVM repeats a constant, but not what an intrinsic of the target makes of it.
            if (!address)
                address = llvm::IRBuilder<>(&*first->getFirstInsertionPt())
                              .CreateIntrinsic(llvm::Intrinsic::nvvm_move_ptr,
                                               {variable->getType(), variable->getType()}, {variable});
            use->set(address);
            changed = true;
        }
    }
    return same_branches(changed);
}

}  // namespace lockstep::device
