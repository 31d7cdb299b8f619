// bug: race-shared-wr
// line: 15,16
// kernel: prefix
// note: the block's global scratch row is read by neighbours with no barrier after it was stored
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void prefix(const int* in, int* scratch, int* out) {
    int* row = scratch + blockIdx.x * blockDim.x;
    int t = threadIdx.x;
    row[t] = in[blockIdx.x * blockDim.x + t];
    out[blockIdx.x * blockDim.x + t] = row[t] + (t >= 64 ? row[t - 64] : 0);
}

int main() {
    std::vector<int> h(256, 1);
    int *in, *scratch, *out;
    CHECK(cudaMalloc(&in, 1024));
    CHECK(cudaMalloc(&scratch, 1024));
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemcpy(in, h.data(), 1024, cudaMemcpyHostToDevice));
    prefix<<<2, 128>>>(in, scratch, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 1024, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(scratch));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[100]);
    return 0;
}
