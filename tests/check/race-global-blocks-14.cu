// bug: race-global-blocks
// line: 16,23
// kernel: once
// note: the flag of a double-checked initialisation is read plainly outside of the lock
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int lock, ready, table[32];

__global__ void once(int* out) {
    if (threadIdx.x == 0) {
        if (!ready) {
            while (atomicCAS(&lock, 0, 1) != 0) {
            }
            __threadfence();
            if (!ready) {
                for (int i = 0; i < 32; ++i) table[i] = i * i;
                __threadfence();
                ready = 1;
            }
            __threadfence();
            atomicExch(&lock, 0);
        }
        out[blockIdx.x] = 1;
    }
}

int main() {
    int *out, r[4];
    CHECK(cudaMalloc(&out, sizeof(r)));
    once<<<4, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
