#include "device/passes.h"

#include <llvm/Passes/PassBuilder.h>

#include "device/convergence.h"
#include "device/member-copies.h"
#include "device/shared-casts.h"

namespace lockstep::device {

void register_passes(llvm::PassBuilder& builder) {
    builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::FunctionPassManager& passes,
                                               llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name == "member-copies")
            passes.addPass(MemberCopies());
        else
            return false;
        return true;
    });
    builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes,
                                               llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name == "forget-convergence")
            passes.addPass(ForgetConvergence());
        else if (name == "recall-convergence")
            passes.addPass(RecallConvergence());
        else if (name == "shared-casts")
            passes.addPass(SharedCasts());
        else
            return false;
        return true;
    });
}

}  // namespace lockstep::device
