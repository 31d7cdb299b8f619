// As LOCKSTEP_CPU_CLONES, with fused multiply-add too: for what may round differently on different CPUs.
#pragma once

#include "base/sanitizers.h"

#if defined(__x86_64__) && !LOCKSTEP_ADDRESS_SANITIZER && !LOCKSTEP_THREAD_SANITIZER
#define LOCKSTEP_FUSING_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define LOCKSTEP_FUSING_CLONES
#endif
