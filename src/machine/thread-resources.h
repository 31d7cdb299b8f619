// What a thread of a kernel would get from ptxas: an estimate.
#pragma once
#include <cstdint>

namespace lockstep::machine {

struct View;

struct ThreadResources {
    std::uint32_t registers = 0;
    std::uint64_t frame_bytes = 0;  // of local memory: its variables, and what is spilled
};

// `local_bytes`: of the variables.
ThreadResources resources_of(const View& view, std::uint64_t local_bytes);

}  // namespace lockstep::machine
