// The second source of several-files.cu. Its kernel has the name of a kernel in the first: both are static to
// their file.
#include <cuda_runtime.h>

static __global__ void fill(int* data, int n) {
    int i = threadIdx.x;
    if (i < n) data[i] *= 2;
}

void double_on_device(int* data, int n) { fill<<<1, 64>>>(data, n); }
