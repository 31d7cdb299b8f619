#include "parts.h"
__global__ void scale_kernel(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= FACTOR;
}
void scale(float* data, int n) { scale_kernel<<<(n + 127) / 128, 128>>>(data, n); }
