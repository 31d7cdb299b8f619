// bug: race-global-blocks
// line: 23,30
// kernel: queue
// note: the frontier's next node is published by its index alone: the item is stored after the counter that readers look at was raised
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Frontier {
    int count;
    int item[64];
};

__global__ void queue(Frontier* f, int* out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        for (int k = 0; k < 8; ++k) {
            int at = atomicAdd(&f->count, 1);
            __threadfence();
            f->item[at] = 100 + k;
        }
    } else {
        while (atomicAdd(&f->count, 0) < 8) {
        }
        __threadfence();
        int s = 0;
        for (int k = 0; k < 8; ++k) s += f->item[k];
        *out = s;
    }
}

int main() {
    Frontier* f;
    int *out, r;
    CHECK(cudaMalloc(&f, sizeof(Frontier)));
    CHECK(cudaMemset(f, 0, sizeof(Frontier)));
    CHECK(cudaMalloc(&out, 4));
    queue<<<2, 32>>>(f, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(f));
    CHECK(cudaFree(out));
    std::printf("%d\n", r);
    return 0;
}
