// bug: race-shared-ww
// line: 21,21
// kernel: flags
// note: four flags lie in one word: two threads of different warps write the same byte with their own values
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Flags {
    unsigned char kind[64];
};

__global__ void flags(const int* in, int n, int* out) {
    __shared__ Flags f;
    int t = threadIdx.x;
    if (t < 64) f.kind[t] = 0;
    __syncthreads();
    if (t < n) f.kind[in[t] & 63] = (unsigned char)(t + 1);
    __syncthreads();
    if (t < 64) out[t] = f.kind[t];
}

int main() {
    const int n = 128;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = (i * 5) % 96;
    int *in, *out, r[64];
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, 64 * 4));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    flags<<<1, n>>>(in, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
