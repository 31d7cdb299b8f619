// A file of device functions only.
#include "shared.h"

static __device__ int factor() { return 2; }

__device__ int twice(int x) { return x * factor(); }
extern "C" __device__ int thrice(int x) { return x * 3; }
__device__ int branch(int x) {
    if (x > 5) return x * 2;
    return x + blend(1, 2);
}
