// What the rest of exec hands to the JIT: addresses of symbols and the functions that compiled code calls. No
// LLVM here.
#pragma once
#include <cstdint>
#include <vector>

#include "exec/warp-context.h"

namespace lockstep::exec::jit {

// Addresses of the module's variables, decided before compilation.
struct Symbols {
    std::vector<std::uint64_t> addresses;     // by module variable
    std::vector<std::uint64_t> function_ids;  // by function: what a pointer to it holds
};

// What compiled code calls in the scheduler and the memory system (callbacks.def).
struct Callbacks {
#define LOCKSTEP_CALLBACK(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
#include "exec/callbacks.def"
};

enum class Callback : std::uint8_t {
#define LOCKSTEP_CALLBACK(name, result, ...) name,
#include "exec/callbacks.def"
};

}  // namespace lockstep::exec::jit
