// bug: race-global-blocks
// line: 17,19
// kernel: wavefront
// note: a flag between blocks is raised without a fence after the data, so the waiting block may see the flag and not the data
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void wavefront(volatile int* flag, int* data, int* out) {
    int b = blockIdx.x;
    if (threadIdx.x == 0 && b > 0)
        while (flag[b - 1] == 0) {}
    __syncthreads();
    int left = b > 0 ? data[(b - 1) * 32 + threadIdx.x] : 0;
    int v = left + 1;
    data[b * 32 + threadIdx.x] = v;
    out[b * 32 + threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) flag[b] = 1;
}

int main() {
    const int nb = 4;
    std::vector<int> r(nb * 32);
    int *flag, *data, *out;
    CHECK(cudaMalloc(&flag, nb * 4));
    CHECK(cudaMalloc(&data, nb * 128));
    CHECK(cudaMalloc(&out, nb * 128));
    CHECK(cudaMemset(flag, 0, nb * 4));
    wavefront<<<nb, 32>>>(flag, data, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, nb * 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[nb * 32 - 1]);
    return r[nb * 32 - 1] != nb;
}
