// bug: barrier-missing-lane
// line: 15
// kernel: group_sum
// note: a block of 48 threads: its second warp has 16 lanes, but the butterfly starts with a distance of 16
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <typename T>
__device__ T warp_total(T v) {
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

__global__ void group_sum(const long long* x, long long* out) {
    long long v = warp_total(x[threadIdx.x]);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

int main() {
    std::vector<long long> h(48, 2), r(2);
    long long *x, *out;
    CHECK(cudaMalloc(&x, 384));
    CHECK(cudaMalloc(&out, 16));
    CHECK(cudaMemcpy(x, h.data(), 384, cudaMemcpyHostToDevice));
    group_sum<<<1, 48>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 16, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%lld\n", r[0]);
    return r[0] != 64;
}
