// bug: race-shared-wr
// line: 20,27
// kernel: ring
// note: the copy of the next piece begins before all warps have read the last
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void ring(const int* in, int* out, int pieces) {
    __shared__ int box[2][256];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&box[0][t], in + t, sizeof(int));
    __pipeline_commit();
    for (int p = 0; p < pieces; ++p) {
        if (p + 1 < pieces) {
            __pipeline_memcpy_async(&box[(p + 1) % 2][t], in + (p + 1) * 256 + t, sizeof(int));
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        sum += box[p % 2][255 - t];
    }
    out[t] = sum;
}

int main() {
    const int n = 1024;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    ring<<<1, 256>>>(in, out, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
