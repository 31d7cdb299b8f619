// bug: barrier-divergent
// line: 17,21
// kernel: roles
// note: the two halves of the block meet at different __syncthreads calls
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void roles(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t];
        __syncthreads();
        out[t] = s[t + 32];
    } else {
        s[t] = 2 * in[t];
        __syncthreads();
        out[t] = s[t - 32];
    }
}

int main() {
    std::vector<int> h(64), r(64);
    for (int i = 0; i < 64; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    roles<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < 64; ++i) bad += r[i] != (i < 32 ? 2 * (i + 32) : i - 32);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
