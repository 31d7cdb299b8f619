// bug: several
// lines of all: 16; 20; 21; 26
// kernel: lists
// note: use after free and a double free on the device heap, a null pointer, an address on the host's stack
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void lists(int* out, const int* null, int* keep) {
    int* mine = static_cast<int*>(malloc(16));
    mine[threadIdx.x & 3] = 5;
    out[threadIdx.x] = mine[threadIdx.x & 3];
    free(mine);
    *keep += mine[0] > 100 ? 1 : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int* other = mine;
        free(other);
        out[1] = null[3];
    }
}

__global__ void on_host(const int* x, int* out) {
    out[threadIdx.x] += x[threadIdx.x & 1];
}

int main() {
    int *out, *keep, here[2] = {1, 2};
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMalloc(&keep, 4));
    CHECK(cudaMemset(keep, 0, 4));
    lists<<<1, 1>>>(out, nullptr, keep);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemset(out, 0, 128));
    on_host<<<1, 32>>>(here, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    CHECK(cudaFree(keep));
    return 0;
}
