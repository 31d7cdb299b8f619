#include "device/join-branches.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "device/changes.h"
#include "device/guards.h"

namespace lockstep::device {
namespace {

constexpr const char* keeps_access = "lockstep-access";

bool guard_accesses(llvm::Function& function) {
    return change_instructions(function, [](llvm::Instruction& instruction) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
                instruction))
            return false;
        guard(instruction, keeps_access);
        return true;
    });
}

}  // namespace

llvm::PreservedAnalyses JoinBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto preserved =
        llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().hoistCommonInsts(true)).run(function, analyses);
    analyses.invalidate(function, preserved);
    const bool is_guarded = guard_accesses(function);
    preserved.intersect(
        llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)).run(function, analyses));
    unguard(function, keeps_access);
    if (is_guarded) preserved.intersect(same_branches(true));
    return preserved;
}

}  // namespace lockstep::device
