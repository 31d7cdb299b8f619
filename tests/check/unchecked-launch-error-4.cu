// bug: unchecked-launch-error
// line: 23
// kernel: volume
// note: the z size of the block is 128, more than the 64 that are allowed, and the result of cudaLaunchKernel is thrown away
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void volume(unsigned char* v, int nz) {
    int z = threadIdx.z;
    if (z < nz) v[z] = (unsigned char)z;
}

int main() {
    int nz = 128;
    unsigned char *v, h[128];
    CHECK(cudaMalloc(&v, nz));
    CHECK(cudaMemset(v, 0, nz));
    void* args[] = {&v, &nz};
    cudaLaunchKernel((const void*)volume, dim3(1), dim3(1, 1, nz), args, 0, 0);
    CHECK(cudaMemcpy(h, v, nz, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    std::printf("%d\n", int(h[100]));
    return h[100] != 100;
}
