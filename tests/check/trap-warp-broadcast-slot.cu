// bug: none
// line: 0
// kernel: compact
// note: warp-aggregated places by a slot in shared memory, with __syncwarp on both sides of it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void compact(const int* in, int* out, int* count, int n) {
    __shared__ int base[4];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned keep = __ballot_sync(~0u, in[i] > 0);
        if (lane == 0) base[w] = atomicAdd(count, __popc(keep));
        __syncwarp();
        if (keep >> lane & 1) out[base[w] + __popc(keep & ((1u << lane) - 1))] = in[i];
        __syncwarp();
    }
}

int main() {
    const int n = 512;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    int* count;
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    compact<<<1, 128>>>(in, out, count, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(count));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
