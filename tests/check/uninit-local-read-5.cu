// bug: uninit-local-read
// line: 15
// kernel: bins
// note: four bins on the stack, of which three are set; the kernel also prints
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bins(const int* in, int* out) {
    int count[4];
    for (int i = 0; i < 3; ++i) count[i] = 0;
    for (int i = 0; i < 8; ++i) ++count[in[(threadIdx.x + i) % 256] & 3];
    if (threadIdx.x == 0) printf("%d\n", count[0]);
    int most = 0;
    for (int i = 0; i < 4; ++i) most = max(most, count[i]);
    out[threadIdx.x] = most;
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 3);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    bins<<<1, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
