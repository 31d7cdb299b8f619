// bug: uninit-shared-read
// line: 15
// kernel: tally
// note: the counters in dynamic shared memory are added to before anybody cleared them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void tally(const unsigned char* x, int n, unsigned* out, int bins) {
    extern __shared__ unsigned count[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&count[x[i] % bins], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) out[b] = count[b];
}

int main() {
    const int n = 400, bins = 20;
    std::vector<unsigned char> h(n);
    for (int i = 0; i < n; ++i) h[i] = (unsigned char)(i % 20);
    std::vector<unsigned> r(bins);
    unsigned char* x;
    unsigned* out;
    CHECK(cudaMalloc(&x, n));
    CHECK(cudaMalloc(&out, bins * 4));
    CHECK(cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice));
    tally<<<1, 64, bins * 4>>>(x, n, out, bins);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, bins * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%u\n", r[0]);
    return 0;
}
