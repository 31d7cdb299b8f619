// Our libraries are compiled for the plainest CPU of a family, so that one build runs on all of them. On
// arm64 that has vector units worth using; on x86-64 it has not (no 32-bit products, no wide registers). A
// hot loop over lanes is therefore compiled there for newer CPUs as well, and the loader picks. The code of
// kernels needs none of this: the JIT knows the CPU.
#pragma once

#include "base/sanitizers.h"

// Sanitizers are not up yet when the loader picks.
#if defined(__x86_64__) && !LOCKSTEP_ADDRESS_SANITIZER && !LOCKSTEP_THREAD_SANITIZER
#define LOCKSTEP_CPU_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define LOCKSTEP_CPU_CLONES
#endif
