// The other half of separate-compilation.cu.
#include <cuda_runtime.h>

__device__ int offset = 1000;
__device__ int transform(int x) { return x * x; }
