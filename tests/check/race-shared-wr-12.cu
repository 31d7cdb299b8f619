// bug: race-shared-wr
// line: 20,21
// kernel: scan
// note: Hillis-Steele in one buffer: a thread adds its left neighbour while that is being changed; the barrier stands only at the loop's end
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <int N>
__global__ void scan(const int* in, int* out) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (int d = 1; d < N; d <<= 1) {
        int left = 0;
        if (t >= d) left = s[t - d];
        s[t] += left;
        __syncthreads();
    }
    out[blockIdx.x * N + t] = s[t];
}

int main() {
    constexpr int n = 256;
    std::vector<int> h(2 * n, 1), r(2 * n);
    int *in, *out;
    CHECK(cudaMalloc(&in, 2 * n * 4));
    CHECK(cudaMalloc(&out, 2 * n * 4));
    CHECK(cudaMemcpy(in, h.data(), 2 * n * 4, cudaMemcpyHostToDevice));
    scan<n><<<2, n>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 2 * n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[n - 1]);
    return 0;
}
