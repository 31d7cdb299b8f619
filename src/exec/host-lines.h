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

struct HostStack {
    std::vector<HostFrame> frames;  // of the program, the innermost first
    bool by_stub = false;           // it begins in the code that a compiler made of kernel<<<…>>>(…)
};

// Of return addresses, the innermost first. Frames of lockstep's own libraries, of CUDA's and the system's
// headers and libraries are left out, and so is what a compiler made of <<<…>>>. Thread-safe.
HostStack host_stack(const std::vector<std::uintptr_t>& return_addresses);

// The same where the first is not a return address, but that of the instruction itself: in a signal handler.
HostStack host_stack_at(const std::vector<std::uintptr_t>& addresses);

}  // namespace lockstep::exec
