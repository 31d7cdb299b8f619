// Which functions of a module are kernels.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

namespace lockstep::device {

llvm::SmallVector<llvm::Function*> kernels_of(const llvm::Module& module);

// clang marks kernels that a file defines; those that it only declares are found where they are launched.
void note_kernel(llvm::Function& function);

}  // namespace lockstep::device
