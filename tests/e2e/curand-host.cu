// The host API of cuRAND: generators on the GPU, with seeds, offsets, orderings and several calls one after another, against what an
// H200's library gave.
// RUN: lockstep run %s -lcurand -- %S/support/curand-host.txt
// OUT: as recorded$
#include <cuda_runtime.h>
#include <curand.h>

#include "support/recorded.h"

#define CHECK(call)                                                            \
    if (int e = call) {                                                        \
        std::printf("%s: %d\n", #call, e);                                     \
        std::exit(1);                                                          \
    }

struct Kind {
    const char* name;
    curandRngType_t type;
    bool quasi, wide;  // wide: 64 bits
};
