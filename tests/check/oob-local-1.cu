// bug: oob-local
// line: 18
// kernel: sortnet
// note: insertion into a local list of four goes one too far
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void sortnet(const int* in, int n, int* out) {
    int best[4], t = threadIdx.x;
    for (int k = 0; k < 4; ++k) best[k] = 1 << 30;
    for (int i = 0; i < n; ++i) {
        int v = in[t * n + i], k = 3;
        while (k >= 0 && best[k] > v) {
            best[k + 1] = best[k];
            --k;
        }
        best[k + 1] = v;
    }
    out[t] = best[0] + best[3];
}

int main() {
    const int n = 9;
    std::vector<int> h(32 * n);
    for (int i = 0; i < 32 * n; ++i) h[i] = i * 31 % 97;
    int *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    sortnet<<<1, 32>>>(in, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
