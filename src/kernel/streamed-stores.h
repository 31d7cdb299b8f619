// Stores after which the kernel has no more use for what they touch.
#pragma once
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

// By block and instruction: stores to global memory that a thread does once, into an array (a pointer among
// the kernel's parameters) from which the kernel does not read. Only how memory is best written follows from
// this: two pointers may lead to one array. None where threads of several blocks may tell each other that
// something was written (fences, atomics, volatile accesses), or where what is called could.
std::vector<std::vector<bool>> streamed_stores(const Function& function);

}  // namespace lockstep::kernel
