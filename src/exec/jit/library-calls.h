// The functions of C libraries that code generation may call by itself, where a CPU has no instruction for an
// operation: one list, so that compiled code never depends on what else the process happens to have loaded.
#pragma once
#include <llvm/Support/MemoryBufferRef.h>

#include <map>
#include <string>

#include "base/result.h"

namespace lockstep::exec::jit {

using SymbolAddresses = std::map<std::string, void*>;

// Everything that an object file asks for: from `own`, what the emitter has called by name, or from the list.
// A symbol that neither has is an error that names it.
Result<SymbolAddresses> symbols_for(llvm::MemoryBufferRef object, const SymbolAddresses& own);

}  // namespace lockstep::exec::jit
