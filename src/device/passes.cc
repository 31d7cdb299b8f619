#include "device/passes.h"

#include <llvm/Passes/PassBuilder.h>

#include "device/branches.h"
#include "device/byte-addresses.h"
#include "device/convergence.h"
#include "device/member-copies.h"
#include "device/remainders.h"
#include "device/shared-casts.h"
#include "device/sink-loads.h"

namespace lockstep::device {

void register_passes(llvm::PassBuilder& builder) {
    builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::FunctionPassManager& passes,
                                               llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name == "member-copies")
            passes.addPass(MemberCopies());
        else if (name == "sink-loads")
            passes.addPass(SinkLoads());
        else if (name == "byte-addresses")
            passes.addPass(ByteAddresses());
        else if (name == "hide-divisors")
            passes.addPass(HideDivisors());
        else if (name == "show-constant-divisors")
            passes.addPass(ShowDivisors(false));
        else if (name == "show-divisors")
            passes.addPass(ShowDivisors(true));
        else if (name == "select-values")
            passes.addPass(SelectValues());
        else if (name == "last-case-is-default")
            passes.addPass(LastCaseIsDefault());
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
