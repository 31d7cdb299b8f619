// bug: several
// lines of all: 14; 23, 24
// kernel: walk
// note: a list leads out of its array, and a copy of it in a later kernel has a bug of its own
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void walk(const int* next, int steps, int* reached) {
    int at = threadIdx.x;
    for (int k = 0; k < steps; ++k) {
        at = next[at];
    }
    reached[threadIdx.x] = at;
}

__global__ void count(const int* reached, int* hits, int n) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (reached[threadIdx.x] < n) atomicAdd(&sum, 1);
    if (threadIdx.x == 0) hits[0] = sum;
}

int main() {
    int h[64], r = 0;
    for (int i = 0; i < 64; ++i) h[i] = i == 40 ? 1 << 22 : (i + 1) % 64;
    int *next, *reached, *hits;
    CHECK(cudaMalloc(&next, sizeof h));
    CHECK(cudaMalloc(&reached, 64 * 4));
    CHECK(cudaMalloc(&hits, 4));
    CHECK(cudaMemcpy(next, h, sizeof h, cudaMemcpyHostToDevice));
    walk<<<1, 64>>>(next, 20, reached);
    count<<<1, 64>>>(reached, hits, 64);
    CHECK(cudaMemcpy(&r, hits, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(next));
    CHECK(cudaFree(reached));
    CHECK(cudaFree(hits));
    std::printf("%d\n", r);
    return 0;
}
