// One file of a shared library (LIBRARY is its name) with device code of two files. Other libraries have the
// same names.
#include <cuda_runtime.h>

extern __device__ int state;
__device__ int answer();

__global__ void ask(int* out) { *out = answer() + state++; }

#define JOIN(a, b) a##b
#define NAME(library) JOIN(ask_, library)
extern "C" int NAME(LIBRARY)() {
    int* out = nullptr;
    cudaMallocManaged(&out, sizeof *out);
    ask<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) return -1;
    const int result = *out;
    cudaFree(out);
    return result;
}
