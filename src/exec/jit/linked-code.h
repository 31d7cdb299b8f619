// Machine code that has become part of this process.
#pragma once
#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "exec/jit/compiler.h"
#include "exec/jit/library-calls.h"

namespace lockstep::exec::jit {

// What the function is called that the scheduler calls.
constexpr const char* start_name = "lockstep_start";

struct LinkedCode : Code {
    // Links an object file; `symbols` is all that it may ask for.
    Result<void> link(llvm::orc::JITTargetMachineBuilder target, const std::string& object,
                      const SymbolAddresses& symbols);

    std::unique_ptr<llvm::orc::LLJIT> jit;
};

}  // namespace lockstep::exec::jit
