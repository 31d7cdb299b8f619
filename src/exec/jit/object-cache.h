// Machine code of kernels, kept for the next run. The key is a hash of all that the code depends on; the code
// itself depends on nothing of one process: variables are found through a table (emitter: address_of), and
// functions by name.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
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

class ObjectCache {
  public:
    ObjectCache(const Request& request, const llvm::orc::JITTargetMachineBuilder& target);

    // `code` gets what was kept. Nothing where there is none, or it is damaged.
    std::optional<Object> find(std::unique_ptr<Code> code) const;
    // An error says why the next run will have to compile.
    Result<void> store(const Object& object) const;

  private:
    const Request& request_;
    std::string key_;  // empty: nothing is kept
};

}  // namespace lockstep::exec::jit
