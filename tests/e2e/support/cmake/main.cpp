#include <cuda_runtime.h>
#include <cstdio>
#include "parts.h"
int main() {
    const int n = 1000;
    float* data = nullptr;
    cudaMallocManaged(&data, n * sizeof(float));
    for (int i = 0; i < n; ++i) data[i] = static_cast<float>(i);
    scale(data, n);
    offset(data, n);
    square(data, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += data[i] != static_cast<float>((FACTOR * i + 1) * (FACTOR * i + 1));
    std::printf("mixed: %d wrong, %d, %s\n", wrong, answer(), cudaGetErrorString(cudaGetLastError()));
    return wrong != 0;
}
