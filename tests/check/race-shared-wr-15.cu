// bug: race-shared-wr
// line: 15,17
// kernel: exchange
// note: __syncwarp stands where the whole block has to wait: warp 1 reads what warp 0 writes
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void exchange(const int* in, int* out) {
    extern __shared__ int s[];
    int t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    s[t] = in[t];
    __syncwarp();
    out[t] = s[n - 1 - t];
}

int main() {
    std::vector<int> h(128, 3);
    int *in, *out;
    CHECK(cudaMalloc(&in, 512));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), 512, cudaMemcpyHostToDevice));
    exchange<<<1, dim3(16, 8), 512>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
