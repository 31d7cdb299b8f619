#include "device/local-pointers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr unsigned local_memory = 5;

}  // namespace

llvm::PreservedAnalyses LocalPointers::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (!variable || variable->getAddressSpace() == local_memory || variable->use_empty()) return false;
        llvm::IRBuilder<> builder(variable->getNextNode());
        auto* const local = llvm::cast<llvm::Instruction>(
            builder.CreateAddrSpaceCast(variable, builder.getPtrTy(local_memory)));
        llvm::Value* const address = builder.CreateAddrSpaceCast(local, variable->getType());
        variable->replaceUsesWithIf(address, [&](llvm::Use& use) { return use.getUser() != local; });
        return true;
    }));
}

}  // namespace lockstep::device
