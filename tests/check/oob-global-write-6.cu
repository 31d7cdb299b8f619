// bug: oob-global-write
// line: 19
// kernel: compact
// note: the position comes from an exclusive scan of the flags over the whole block, but the output holds only the kept ones minus the sentinel
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void compact(const int* in, int n, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] % 3 == 0;
    unsigned votes = __ballot_sync(0xffffffffu, keep);
    int lane = threadIdx.x & 31, leader = 0, base = 0;
    if (lane == leader) base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(0xffffffffu, base, leader);
    if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
}

int main() {
    const int n = 3000;
    std::vector<int> h(n);
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        h[i] = i;
        kept += i % 3 == 0;
    }
    int *in, *out, *count, got = 0;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, (kept - 1) * sizeof(int)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    compact<<<(n + 255) / 256, 256>>>(in, n, out, count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&got, count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(count));
    std::printf("%d of %d\n", got, kept);
    return got != kept;
}
