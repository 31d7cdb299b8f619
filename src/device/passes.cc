#include "device/passes.h"

#include <llvm/Passes/PassBuilder.h>

#include "device/aliases.h"
#include "device/as-written.h"
#include "device/block-order.h"
#include "device/branches.h"
#include "device/byte-addresses.h"
#include "device/byte-vectors.h"
#include "device/carried-loads.h"
#include "device/cast-alignments.h"
#include "device/check-events.h"
#include "device/chosen-extremes.h"
#include "device/common-addresses.h"
#include "device/common-bases.h"
#include "device/condition-values.h"
#include "device/constant-calls.h"
#include "device/count-down.h"
#include "device/counted-loops.h"
#include "device/early-choices.h"
#include "device/for-checks.h"
#include "device/global-pointers.h"
#include "device/grid-constants.h"
#include "device/hidden-steps.h"
#include "device/hoist-values.h"
#include "device/initialisers.h"
#include "device/inline-limit.h"
#include "device/inlined-lines.h"
#include "device/join-branches.h"
#include "device/joined-conditions.h"
#include "device/joint-bounds.h"
#include "device/kept-trips.h"
#include "device/last-stores.h"
#include "device/library-calls.h"
#include "device/local-pointers.h"
#include "device/loop-chains.h"
#include "device/member-copies.h"
#include "device/memory-blocks.h"
#include "device/merged-pointers.h"
#include "device/nested-launches.h"
#include "device/next-values.h"
#include "device/plain-elements.h"
#include "device/plain-extensions.h"
#include "device/plain-starts.h"
#include "device/product-pointers.h"
#include "device/progress.h"
#include "device/promotion.h"
#include "device/reassociation.h"
#include "device/recompute.h"
#include "device/remainders.h"
#include "device/shared-casts.h"
#include "device/shifted-conditions.h"
#include "device/signed-divisions.h"
#include "device/signed-indices.h"
#include "device/sink-conditions.h"
#include "device/sink-loads.h"
#include "device/steady-conditions.h"
#include "device/strength-reduction.h"
#include "device/thread-indices.h"
#include "device/unroll.h"
#include "device/variable-addresses.h"
#include "device/vectors.h"
#include "device/warp-size.h"
#include "device/whole-bools.h"
#include "device/whole-conditions.h"
#include "device/wide-index.h"

namespace lockstep::device {

void register_passes(llvm::PassBuilder& builder) {
    using Elements = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;
    builder.registerPipelineParsingCallback(
        [](llvm::StringRef wanted, llvm::FunctionPassManager& passes, Elements) {
#define FUNCTION_PASS(name, pass) \
    if (wanted == name) {         \
        passes.addPass(pass);     \
        return true;              \
    }
#define LOOP_PASS(name, pass)
#define MODULE_PASS(name, pass)
#include "device/passes.def"
#undef FUNCTION_PASS
#undef LOOP_PASS
#undef MODULE_PASS
            return false;
        });
    builder.registerPipelineParsingCallback(
        [](llvm::StringRef wanted, llvm::ModulePassManager& passes, Elements) {
#define FUNCTION_PASS(name, pass)
#define LOOP_PASS(name, pass)
#define MODULE_PASS(name, pass) \
    if (wanted == name) {       \
        passes.addPass(pass);   \
        return true;            \
    }
#include "device/passes.def"
#undef FUNCTION_PASS
#undef LOOP_PASS
#undef MODULE_PASS
            return false;
        });
    builder.registerPipelineParsingCallback(
        [](llvm::StringRef wanted, llvm::LoopPassManager& passes, Elements) {
#define FUNCTION_PASS(name, pass)
#define LOOP_PASS(name, pass) \
    if (wanted == name) {     \
        passes.addPass(pass); \
        return true;          \
    }
#define MODULE_PASS(name, pass)
#include "device/passes.def"
#undef FUNCTION_PASS
#undef LOOP_PASS
#undef MODULE_PASS
            return false;
        });
}

}  // namespace lockstep::device
