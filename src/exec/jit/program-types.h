// What the rest of exec hands to the JIT: addresses of symbols and the functions that compiled code calls. No
// LLVM here.
#pragma once
#include <cstdint>
#include <vector>

namespace lockstep::exec::jit {

// Addresses of the module's variables, decided before compilation.
struct Symbols {
    std::vector<std::uint64_t> addresses;     // by module variable
    std::vector<std::uint64_t> function_ids;  // by function: what a pointer to it holds
};

// What compiled code calls in the scheduler and the memory system (callbacks.h implements them).
struct Callbacks {
    void* access_fault = nullptr;  // (ctx, site, address, lanes)  finds the allocation or faults
    void* barrier = nullptr;
    void* barrier_reduce = nullptr;
    void* barriers = nullptr;  // (ctx, requests, their number, site)
    void* yield = nullptr;
    void* slice = nullptr;
    void* stopped = nullptr;
    void* trap = nullptr;
    void* not_a_member = nullptr;  // (ctx, site, lane, mask)  a *.sync mask without the lane's own bit
    void* clock = nullptr;
    void* globaltimer = nullptr;
    void* drain_events = nullptr;
    void* bad_call = nullptr;
    void* bad_index = nullptr;
    void* check_pointers = nullptr;
    void* check_strings = nullptr;
    void* address_space = nullptr;
    void* stack_overflow = nullptr;
    void* print = nullptr;
    void* assert_fail = nullptr;
    void* allocate = nullptr;
    void* release = nullptr;
};

}  // namespace lockstep::exec::jit
