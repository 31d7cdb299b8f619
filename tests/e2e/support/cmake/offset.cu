#include "parts.h"
template <class F>
__global__ void apply(float* data, int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = f(data[i]);
}
void offset(float* data, int n) {
    const float by = 1;
    apply<<<(n + 127) / 128, 128>>>(data, n, [=] __device__(float x) { return x + by; });
}
