// bug: none
// line: 0
// kernel: insert
// note: a lock a slot, taken by one lane at a time and fenced on both sides, guards plain fields
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Pair { int key, count; };
__global__ void insert(Pair* pairs, int* locks, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int slot = in[i] % 4;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[slot], 0, 1) == 0) {
            __threadfence();
            pairs[slot].key = slot;
            pairs[slot].count += 1;
            __threadfence();
            atomicExch(&locks[slot], 0);
            done = true;
        }
    }
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    int* locks;
    CHECK(cudaMalloc(&locks, 4 * sizeof(int)));
    CHECK(cudaMemset(locks, 0, 4 * sizeof(int)));
    insert<<<4, 32>>>((Pair*)out, locks, in, 128);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(locks));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
