// bug: race-shared-wr
// line: 23,25
// kernel: pack
// note: two threads of different warps write fields of the same word
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Flags {
    unsigned low : 4;
    unsigned high : 4;
};

__global__ void pack(const int* in, int* out) {
    __shared__ Flags flags[32];
    int t = threadIdx.x;
    if (t < 32) flags[t] = Flags{0, 0};
    __syncthreads();
    if (t < 32)
        flags[t].low = in[t] & 15;
    else
        flags[t - 32].high = in[t] & 15;
    __syncthreads();
    out[t] = flags[t % 32].low + flags[t % 32].high;
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    pack<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
