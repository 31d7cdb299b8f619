// Sizes of stack frames, as the code generator tells them: known only once it has run.
#pragma once
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Module.h>

#include <cstddef>

namespace lockstep::exec::jit {

class StackFrames {
  public:
    // All functions of the module that exist now report to this object.
    void watch(llvm::Module& module);
    // What a device function takes of the stack, with the helpers that it calls, which may call another; not
    // the C functions.
    std::size_t largest() const;

  private:
    void add(const llvm::DiagnosticInfoStackSize& info);

    std::size_t device_ = 0, other_ = 0;
};

}  // namespace lockstep::exec::jit
