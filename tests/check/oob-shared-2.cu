// bug: oob-shared
// line: 18
// kernel: histogram
// note: value 64 lands one past the static bins and hits the array declared beside them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void histogram(const unsigned char* x, int n, unsigned* out) {
    __shared__ unsigned bins[64];
    __shared__ unsigned spare[64];
    if (threadIdx.x < 64) { bins[threadIdx.x] = 0; spare[threadIdx.x] = 0; }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[x[i]], 1u);
    __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x] + spare[threadIdx.x];
}

int main() {
    const int n = 650;
    std::vector<unsigned char> h(n);
    for (int i = 0; i < n; ++i) h[i] = (unsigned char)(i % 65);
    std::vector<unsigned> r(64);
    unsigned char* x;
    unsigned* out;
    CHECK(cudaMalloc(&x, n));
    CHECK(cudaMalloc(&out, 64 * sizeof(unsigned)));
    CHECK(cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice));
    histogram<<<1, 128>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 1; i < 64; ++i) bad += r[i] != 10u;
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
