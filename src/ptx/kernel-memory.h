// What a kernel declares: where its shared variables lie in a block's shared memory, and how much local
// memory a thread needs for its own variables.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::ptx {

struct KernelMemory {
    // By name, which is unique once modules are linked. Unsized arrays share the place behind all others.
    std::map<std::string, std::uint64_t> shared_offsets;
    std::uint64_t static_shared_bytes = 0;
    bool dynamic_shared = false;    // has an unsized array
    bool reserved_shared = false;   // asks where the memory behind all that is
    std::uint64_t local_bytes = 0;  // a thread
};

// By function: whether a pointer to it exists, so that any kernel may reach it.
std::vector<bool> address_taken(const Module& module);

// Functions that code of module.functions[kernel] may call, itself among them.
std::set<std::uint32_t> reached_functions(const Module& module, std::uint32_t kernel,
                                          const std::vector<bool>& address_taken);

// Of module.functions[kernel] and all functions that it may reach.
KernelMemory kernel_memory(const Module& module, std::uint32_t kernel,
                           const std::vector<bool>& address_taken);

// All constants that the module defines, one behind the other.
std::uint64_t constant_bytes(const Module& module);

// ptxas's limit on the shared variables of a kernel, the same for all GPUs; more is only to be had as dynamic
// shared memory.
constexpr std::uint64_t most_static_shared = 48 << 10;

// The kernels that ptxas would refuse for their shared variables.
std::vector<Error> too_much_shared(const Module& module);

// From .reqntid or .maxntid, which __launch_bounds__ becomes; 0: no bound given.
std::uint32_t max_threads_per_block(const Function& kernel);

}  // namespace lockstep::ptx
