#include "exec/jit/stack-frames.h"

#include <algorithm>

#include "exec/jit/linked-code.h"

namespace lockstep::exec::jit {

void StackFrames::watch(llvm::Module& module) {
    for (llvm::Function& function : module)
        if (!function.isDeclaration()) function.addFnAttr("warn-stack-size", "0");
    module.getContext().setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo* info, void* frames) {
            if (const auto* size = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(info))
                static_cast<StackFrames*>(frames)->add(*size);
        },
        this);
}

std::size_t StackFrames::largest() const {
    constexpr std::size_t alignment_and_returns = 1 << 10;
    return device_ + 2 * other_ + alignment_and_returns;
}

void StackFrames::add(const llvm::DiagnosticInfoStackSize& info) {
    const llvm::StringRef name = info.getFunction().getName();
    std::size_t& most = name.starts_with("device.") || name == start_name ? device_ : other_;
    most = std::max<std::size_t>(most, info.getStackSize());
}

}  // namespace lockstep::exec::jit
