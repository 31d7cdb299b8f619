// Host memory that kernels reach: mapped, registered, portable; and flags that say so.
// RUN: lockstep run %s
// OUT: ^mapped-memory ok$
#include "support/check.h"

__global__ void square(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * data[i];
}

int main() {
    const int n = 1000;
    CUDA(cudaSetDeviceFlags(cudaDeviceMapHost));
    int *mapped = nullptr, *device = nullptr;
    CUDA(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
    for (int i = 0; i < n; ++i) mapped[i] = i;
    CUDA(cudaHostGetDevicePointer(&device, mapped, 0));
    square<<<4, 256>>>(device, n);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT_AT(i, mapped[i], i * i);
    unsigned flags = 0;
    CUDA(cudaHostGetFlags(&flags, mapped));
    EXPECT(flags & cudaHostAllocMapped);

    std::vector<int> ordinary(n, 7);
    CUDA(cudaHostRegister(ordinary.data(), n * sizeof(int), cudaHostRegisterMapped));
    CUDA(cudaHostGetDevicePointer(&device, ordinary.data(), 0));
    square<<<4, 256>>>(device, n);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT_AT(i, ordinary[i], 49);
    cudaPointerAttributes attributes{};
    CUDA(cudaPointerGetAttributes(&attributes, ordinary.data()));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    CUDA(cudaHostUnregister(ordinary.data()));

    int *plain = nullptr, *on_device = device_zeros<int>(n);
    CUDA(cudaMallocHost(&plain, n * sizeof(int)));
    for (int i = 0; i < n; ++i) plain[i] = -i;
    CUDA(cudaMemcpyAsync(on_device, plain, n * sizeof(int), cudaMemcpyHostToDevice));
    square<<<4, 256>>>(on_device, n);
    CUDA(cudaMemcpyAsync(plain, on_device, n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT_AT(i, plain[i], i * i);
    CUDA(cudaFreeHost(plain));
    CUDA(cudaFreeHost(mapped));
    return finish("mapped-memory");
}
