// Machine code of kernels, kept for the next run. The key is a hash of all that the code depends on; the code
// itself depends on nothing of one process: variables are found through a table (emitter: address_of), and
// functions by name.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/jit/compiler.h"
#include "exec/jit/library-calls.h"
#include "exec/jit/target.h"

namespace lockstep::exec::jit {

// A kernel as an object file, not yet linked.
struct Object {
    std::unique_ptr<Code> code;  // not yet its function
    std::string file;            // ELF
    SymbolAddresses symbols;     // that it asks for
};

// What the code depends on, beside lockstep itself, LLVM and the CPU.
struct ObjectKey {
    const base::FileCache* cache = nullptr;
    std::string content;     // a hash of the module's texts; empty: nothing is kept
    std::string variant;     // which kernel of it, and how it is compiled
    SymbolAddresses tables;  // of this process, that the code asks for by name
    Warnings* warnings = nullptr;
};

// From the cache, or compiled and kept there. Who wants to see how a kernel is compiled has it compiled.
Result<Object> kept_object(const ObjectKey& key, const llvm::orc::JITTargetMachineBuilder& target,
                           const std::function<Result<Object>()>& compile);

}  // namespace lockstep::exec::jit
