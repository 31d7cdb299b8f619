// Values that LLVM is to know nothing of for a while.
#pragma once
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace lockstep::device {

// `why` tells them apart. What is hidden is an integer or a pointer.
llvm::CallInst* hide(llvm::Value* value, llvm::StringRef why, llvm::IRBuilderBase& builder);
bool is_hidden(const llvm::User& value);
bool is_hidden(const llvm::CallInst& call, llvm::StringRef why);
// Whether there were any.
bool show(
    llvm::Function& function, llvm::StringRef why,
    llvm::function_ref<bool(const llvm::CallInst&)> which = [](const llvm::CallInst&) { return true; });

}  // namespace lockstep::device
