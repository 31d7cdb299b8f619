// The machine that code is generated for.
#pragma once
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>

#include <string>

#include "base/result.h"

namespace lockstep::exec::jit {

// What the emitter wants to know of it.
struct TargetInfo {
    bool masked_stores = false;   // AVX2 or AVX-512
    bool mask_registers = false;  // AVX-512
    bool aarch64 = false;
    bool streamed_stores = false;  // past the caches, without a read of the line before
};

// This machine, or with `cpu` one of its family by LLVM's name; with `triple` any that LLVM has.
Result<llvm::orc::JITTargetMachineBuilder> find_target(const std::string& triple, const std::string& cpu);
TargetInfo describe(const llvm::TargetMachine& machine);

}  // namespace lockstep::exec::jit
