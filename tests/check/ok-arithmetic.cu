// bug: none
// kernel: arithmetic
// note: shifts too wide that nobody takes, hashes that wrap, divisors that are tested, local arrays that are filled in part
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ unsigned turned(unsigned x, int by) { return by ? x << by | x >> (32 - by) : x; }

__device__ unsigned low_bits(unsigned x, int n) { return n < 32 ? x & ((1u << n) - 1) : x; }

__global__ void arithmetic(const int* a, int n, int* out) {
    int i = threadIdx.x;
    unsigned hash = 2166136261u;
    for (int k = 0; k < 8; ++k) hash = (hash ^ static_cast<unsigned>(a[(i + k) % n])) * 16777619u;
    int seed = static_cast<int>(hash);
    unsigned next = static_cast<unsigned>(seed) * 1103515245u + 12345u;
    int quotient = a[i] ? 1000 / a[i] : 0;
    int kept[8], count = 0;
    for (int k = 0; k < 8; ++k)
        if (a[(i + k) % n] & 1) kept[count++] = k;
    int sum = 0;
    for (int k = 0; k < count; ++k) sum += kept[k];
    out[i] = a[next % n] + quotient + sum + static_cast<int>(turned(hash, i) + low_bits(hash, i + 1));
}

int main() {
    int h[32], r[32];
    for (int i = 0; i < 32; ++i) h[i] = i % 5;
    int *a, *out;
    CHECK(cudaMalloc(&a, sizeof h));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    arithmetic<<<1, 32>>>(a, 32, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
