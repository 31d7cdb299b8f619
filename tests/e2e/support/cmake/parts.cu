#include "parts.h"
__device__ float squared(float x);
__global__ void square_kernel(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = squared(data[i]);
}
void square(float* data, int n) { square_kernel<<<(n + 127) / 128, 128>>>(data, n); }
