// What compiled code calls: slow paths of memory accesses, barriers, printf, malloc, faults.
#pragma once
#include "exec/jit/program-types.h"

namespace lockstep::exec {

jit::Callbacks make_callbacks();

}  // namespace lockstep::exec
