// What a thread of a kernel asks of the host, one lane at a time: printf, failed assertions, malloc and free.
// Addresses are those of this process.
#pragma once
#include <cstdint>
#include <string>

#include "exec/warp-context.h"

namespace lockstep::exec {

// The number of arguments, as CUDA's printf returns it. `arguments`: laid out by the compiler.
std::uint32_t print_of_lane(WarpContext& ctx, std::uint64_t format, std::uint64_t arguments);

struct Assertion {
    std::uint64_t message = 0, file = 0, function = 0;  // strings
    std::uint32_t line = 0;
};
[[noreturn]] void assertion_of_lane(WarpContext& ctx, std::uint32_t site, int lane,
                                    const Assertion& assertion);

// 0: there is no more.
std::uint64_t allocation_of_lane(WarpContext& ctx, std::uint32_t site, int lane, std::uint64_t bytes);
// Does not return where it is no such memory.
void release_of_lane(WarpContext& ctx, std::uint32_t site, int lane, std::uint64_t address);

}  // namespace lockstep::exec
