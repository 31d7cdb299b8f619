// bug: unchecked-launch-error
// line: 24
// kernel: tile
// note: the launch asks for 96 KiB of dynamic shared memory without raising the kernel's limit; only the synchronisation after it is checked
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void tile(float* out, int n) {
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = float(i);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s[n - 1];
}

int main() {
    const int n = 24 * 1024;
    float *out, h = 0;
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemset(out, 0, 4));
    tile<<<1, 256, n * sizeof(float)>>>(out, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%g\n", h);
    return h != n - 1;
}
