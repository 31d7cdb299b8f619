// The functions of a module that the host launches.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace lockstep::device {

llvm::SmallVector<llvm::Function*> kernels_of(const llvm::Module& module);

}  // namespace lockstep::device
