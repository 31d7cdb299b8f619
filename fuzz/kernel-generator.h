// Valid kernels out of a fuzzer's bytes. Instructions come from the instruction table, so a new row is
// generated at once.
#pragma once
#include <string>

#include "fuzz/choices.h"

namespace lockstep::fuzz {

// What threads of a kernel have to do with each other, and so which runs of it must leave the same memory.
enum class Company {
    alone,    // nothing: however they are put into blocks
    grouped,  // shuffles, votes, barriers, atomics: whatever the shape of a block of so many threads
    wild,     // anything, addresses included: need not repeat
};

struct GeneratedKernel {
    std::string ptx;  // one entry, `k`, with the parameters of KernelParams
    Company company{};
};

// As the entry declares them.
struct KernelParams {
    std::uint64_t in = 0;   // input_bytes
    std::uint64_t out = 0;  // output_bytes
    std::uint32_t n = 0;
    std::uint32_t unused = 0;
    std::uint8_t blob[32] = {};
};

inline constexpr std::size_t input_bytes = 8192;
inline constexpr std::size_t most_threads = 128;  // of a grid
inline constexpr std::size_t output_bytes = 32768;

GeneratedKernel generate_kernel(Choices& choices);

}  // namespace lockstep::fuzz
