// The heap of kernels: 8 MiB unless the program says otherwise, and null where it is full.
// RUN: lockstep run %s
// OUT: ^device-heap ok$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^device-heap ok$
#include "support/check.h"

__global__ void take(size_t size, unsigned long long* count) {
    unsigned long long n = 0;
    void* last = nullptr;
    for (; n < 100000; ++n) {
        void** p = static_cast<void**>(malloc(size));
        if (!p) break;
        *p = last;
        last = p;
    }
    *count = n;
    while (last) {
        void* before = *static_cast<void**>(last);
        free(last);
        last = before;
    }
}

unsigned long long taken(size_t size, unsigned long long* count) {
    take<<<1, 1>>>(size, count);
    CUDA(cudaDeviceSynchronize());
    return to_host(count, 1)[0];
}

int main() {
    size_t limit = 0;
    CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit == 8u << 20);
    auto* count = device_zeros<unsigned long long>(1);
    for (int round = 0; round < 2; ++round) {  // what was freed can be had again
        const auto pieces = taken(1 << 20, count);
        EXPECT(pieces >= 6 && pieces < 8);  // 6 on an H200
        EXPECT(taken(7 << 20, count) == 1);
        EXPECT(taken(8 << 20, count) == 0);
        EXPECT(taken(~size_t{0}, count) == 0);
    }
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20) == cudaErrorInvalidValue);
    cudaGetLastError();

    CUDA(cudaDeviceReset());
    CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit == 64u << 20);
    count = device_zeros<unsigned long long>(1);
    const auto pieces = taken(1 << 20, count);
    EXPECT(pieces >= 52 && pieces < 64);  // 52 on an H200
    return finish("device-heap");
}
