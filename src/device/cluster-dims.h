// __cluster_dims__, which clang only carries along as an annotation, and LLVM 19's code generator has no
// words for: directives of a kernel's PTX.
#pragma once
#include <llvm/IR/Module.h>

#include <string>

namespace lockstep::device {

// `ptx`, which was made of the module, with .reqnctapercluster where its kernels have such an annotation.
std::string with_cluster_dims(std::string ptx, const llvm::Module& module);

}  // namespace lockstep::device
