// bug: none
// line: 0
// kernel: parent
// note: a kernel launches another that reads what it wrote; the result is read when both have ended
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void child(const int* in, int* out) { out[threadIdx.x] = in[31 - threadIdx.x] + 1; }

__global__ void parent(int* middle, int* out) {
    middle[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) child<<<1, 32>>>(middle, out);
}

int main() {
    const int n = 32;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    parent<<<1, 32>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
