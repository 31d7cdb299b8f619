// bug: none
// line: 0
// kernel: -
// note: bitonic sort in shared memory: each pair is touched by one thread between two barriers; a shared histogram by atomics beside it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <typename K>
__global__ void sort(K* x, int* hist) {
    __shared__ K s[256];
    __shared__ int h[8];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 128] = x[t + 128];
    if (t < 8) h[t] = 0;
    __syncthreads();
    atomicAdd(&h[s[t] & 7], 1);
    atomicAdd(&h[s[t + 128] & 7], 1);
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (j - 1));
            bool up = (i & k) == 0;
            K a = s[i], b = s[i + j];
            if ((a > b) == up) { s[i] = b; s[i + j] = a; }
        }
    __syncthreads();
    x[t] = s[t];
    x[t + 128] = s[t + 128];
    if (t < 8) hist[t] = h[t];
}

int main() {
    std::vector<unsigned short> h(256);
    for (int i = 0; i < 256; ++i) h[i] = (unsigned short)(i * 77 % 256);
    unsigned short* x;
    int *hist, c[8];
    CHECK(cudaMalloc(&x, 512));
    CHECK(cudaMalloc(&hist, 32));
    CHECK(cudaMemcpy(x, h.data(), 512, cudaMemcpyHostToDevice));
    sort<<<1, 128>>>(x, hist);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), x, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(c, hist, 32, cudaMemcpyDeviceToHost));
    int bad = c[3] != 32;
    for (int i = 0; i < 256; ++i) bad += h[i] != i;
    CHECK(cudaFree(x));
    CHECK(cudaFree(hist));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
