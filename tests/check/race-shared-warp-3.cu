// bug: race-shared-warp
// line: 19,21
// kernel: leader
// note: lane 0 stores the offset of its warp in shared memory and the other lanes read it with no __syncwarp between
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void leader(const int* x, int n, int* out, int* count) {
    __shared__ int base[8];
    int lane = threadIdx.x & 31, w = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && x[i] > 0;
    unsigned m = __ballot_sync(~0u, keep);
    if (lane == 0)
        base[w] = atomicAdd(count, __popc(m));
    if (keep)
        out[base[w] + __popc(m & ((1u << lane) - 1))] = x[i];
}

int main() {
    const int n = 1000;
    std::vector<int> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i % 2 ? i : -i;
    int *x, *out, *count, got = 0;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&count, 4));
    CHECK(cudaMemset(count, 0, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    leader<<<4, 256>>>(x, n, out, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, count, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    CHECK(cudaFree(count));
    std::printf("%d\n", got);
    return got != 500;
}
