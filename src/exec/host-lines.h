// Where in a program's source its host code was, from the addresses of its stack: which file, line and
// function, with what was inlined. Addresses are cheap to keep; lines are looked for when somebody is told.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::exec {

struct HostFrame {
    std::string file;  // empty: the code has no lines
    int line = 0;
    std::string function;  // demangled; empty: not known
};

// Of return addresses, the innermost first. Frames of lockstep's own libraries, of CUDA's and the system's
// headers and libraries are left out, and so is what a compiler made of kernel<<<…>>>(…), which for a launch
// is the function at `stub`. Thread-safe.
std::vector<HostFrame> host_stack(const std::vector<std::uintptr_t>& return_addresses,
                                  std::uintptr_t stub = 0);

// The same where the first is not a return address, but that of the instruction itself: in a signal handler.
// Nothing where it is lockstep's libraries that got there.
std::vector<HostFrame> host_stack_at(const std::vector<std::uintptr_t>& addresses);

}  // namespace lockstep::exec
