// A place in a kernel that can fault or be observed: a memory instruction, a barrier, a call.
#pragma once
#include <cstdint>

namespace lockstep::exec {

struct Site {
    int ptx_line = 0;
    int source = -1;             // into ptx::Module::lines
    std::uint32_t function = 0;  // into ptx::Module::functions
    std::int32_t bytes = 0;      // that a lane accesses
    bool write = false;
    bool shared = false;  // the instruction names shared memory
};

}  // namespace lockstep::exec
