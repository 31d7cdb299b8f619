// bug: barrier-divergent
// line: 18
// kernel: rows
// note: threads without an element go on to the next turn before the barrier
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void rows(const int* in, int* out, int n) {
    __shared__ int box[64];
    int t = threadIdx.x, sum = 0;
    for (int row = 0; row < 4; ++row) {
        if (row * 64 + t >= n) continue;
        box[t] = in[row * 64 + t];
        __syncthreads();
        sum += box[(t + 1) % 64];
        __syncthreads();
    }
    out[t] = sum;
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    rows<<<1, 64>>>(in, out, 220);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
