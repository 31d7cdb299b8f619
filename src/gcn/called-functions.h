// Functions that were not inlined. Code has no bytes here, so it has addresses of its own: one for each
// function of a module, and its instructions behind it.
#pragma once
#include "gcn/module.h"

namespace lockstep::gcn {

// Number 0 is the kernel that runs, 1 the module's first function. Beyond all that a process has.
constexpr std::uint64_t code_aperture = std::uint64_t{3} << 48;
constexpr int code_address_shift = 24;  // of a function's number
constexpr std::uint64_t code_address(std::uint32_t number, std::uint32_t instruction = 0) {
    return code_aperture + (std::uint64_t{number} << code_address_shift) + 4 * std::uint64_t{instruction};
}

// Puts the functions that a kernel may come to behind its own instructions, so that whoever counts or
// compiles the kernel has all of it.
void take_in_functions(Module& module);

}  // namespace lockstep::gcn
