// bug: none
// line: 0
// kernel: two
// note: one piece of shared memory is two arrays, one after the other, with a barrier between
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void two(const int* in, int* out) {
    __shared__ union Scratch {
        int counts[64];
        unsigned char bytes[256];
    } s;
    int t = threadIdx.x;
    s.counts[t] = in[t];
    __syncthreads();
    int mine = s.counts[63 - t];
    __syncthreads();
    for (int i = 0; i < 4; ++i) s.bytes[t + 64 * i] = static_cast<unsigned char>(mine + i);
    __syncthreads();
    out[t] = s.bytes[255 - t] + s.bytes[t];
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    two<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
