// Our own passes, by the names that pipelines have for them.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace lockstep::device {

void register_passes(llvm::PassBuilder& builder);

}  // namespace lockstep::device
