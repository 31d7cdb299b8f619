// The exercise of the lab reduction-wavefront, solved.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

constexpr int block = 256, count = 1 << 16;

__global__ void reduce(const int* in, int* out) {
    __shared__ int part[block];
    part[threadIdx.x] = in[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    for (unsigned stride = block / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
    const int blocks = count / block;
    std::vector<int> host(count), parts(blocks);
    long long expected = 0, sum = 0;
    for (int i = 0; i < count; ++i) expected += host[i] = static_cast<int>(2654435761u * i >> 24);
    int *in = nullptr, *out = nullptr;
    if (hipMalloc(&in, count * sizeof(int)) != hipSuccess || hipMalloc(&out, blocks * sizeof(int)) != hipSuccess)
        return 1;
    if (hipMemcpy(in, host.data(), count * sizeof(int), hipMemcpyHostToDevice) != hipSuccess) return 1;
    reduce<<<blocks, block>>>(in, out);
    if (hipMemcpy(parts.data(), out, blocks * sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    if (hipFree(in) != hipSuccess || hipFree(out) != hipSuccess) return 1;
    for (int part : parts) sum += part;
    std::printf("sum %lld, should be %lld: %s\n", sum, expected, sum == expected ? "right" : "WRONG");
    return sum != expected;
}
