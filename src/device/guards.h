// Something behind an instruction that LLVM does not merge with its like, nor moves the instruction past.
#pragma once
#include <llvm/IR/Function.h>

namespace lockstep::device {

// `why` tells guards apart.
void guard(llvm::Instruction& instruction, llvm::StringRef why);
// Whether there was one.
bool unguard(llvm::Function& function, llvm::StringRef why);

}  // namespace lockstep::device
