// bug: none
// line: 0
// kernel: -
// note: warp-synchronous tail with a __syncwarp between the loads and the stores of each step
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <typename T>
__device__ void finish(volatile T* s, int t) {
    T v = s[t];
    for (int k = 16; k > 0; k /= 2) {
        T o = s[t + k];
        __syncwarp();
        v += o;
        s[t] = v;
        __syncwarp();
    }
}

__global__ void sums(const int* x, int* out) {
    __shared__ int s[4][64];
    int lane = threadIdx.x & 31, w = threadIdx.x / 32;
    s[w][lane] = x[threadIdx.x];
    s[w][lane + 32] = 0;
    __syncwarp();
    finish(s[w], lane);
    if (lane == 0) out[w] = s[w][0];
}

int main() {
    std::vector<int> h(128, 3), r(4);
    int *x, *out;
    CHECK(cudaMalloc(&x, 512));
    CHECK(cudaMalloc(&out, 16));
    CHECK(cudaMemcpy(x, h.data(), 512, cudaMemcpyHostToDevice));
    sums<<<1, 128>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 16, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[3]);
    return r[0] != 96 || r[3] != 96;
}
