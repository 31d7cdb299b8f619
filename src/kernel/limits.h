// How large a kernel may be. Compilers stay far below; what is above would only exhaust time and memory. One
// list, so that a message can name the limit.
#pragma once
#include <cstddef>
#include <cstdint>

namespace lockstep::kernel {

// Past this many instructions calls stay calls, so that a deep tree of calls cannot explode …
constexpr std::size_t max_inlined_instructions = 60'000;
// … in a function that is itself called from a kernel: there may be many.
constexpr std::size_t max_inlined_into_callee = 2'000;
// The same for labels, since every call that is inlined makes one, and registers: a callee brings all of its
// own.
constexpr std::size_t max_inlined_labels = 4'000;
constexpr std::size_t max_inlined_registers = 200'000;

// Of one function, with what was inlined into it.
constexpr std::size_t max_instructions = 1'000'000;
constexpr std::size_t max_blocks = 10'000;
constexpr std::size_t max_branch_targets = 1'000'000;  // of all brx.idx together
// Basic blocks times registers: the analyses keep a few bits for each pair.
constexpr std::uint64_t max_block_registers = 1ull << 31;

// Basic blocks, or sites, of a kernel with all functions that its calls reach: records have as many numbers.
constexpr std::size_t max_numbers = 1 << 24;

// A kernel's parameters, as ptxas has it: more from compute capability 7.0 and PTX 8.1 on.
constexpr std::uint64_t max_parameter_bytes = 4096;
constexpr std::uint64_t max_parameter_bytes_large = 32764;
constexpr std::uint64_t max_local_bytes = 512 << 10;  // a thread's local variables: CUDA's own limit
constexpr std::uint64_t max_call_bytes = 32 << 10;    // one .param variable of a call
constexpr std::size_t max_frame_bytes = 64 << 20;     // of a warp's stack, for one call

}  // namespace lockstep::kernel
