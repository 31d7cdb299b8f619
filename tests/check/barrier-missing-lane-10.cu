// bug: barrier-missing-lane
// line: 15
// kernel: both
// note: both sides of the branch shuffle with the full mask, each at its own call
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void both(const int* in, int* out) {
    int t = threadIdx.x, v = in[t];
    if (t % 2)
        v += __shfl_xor_sync(0xffffffffu, v, 2);
    else
        v -= __shfl_xor_sync(0xffffffffu, v, 4);
    out[t] = v;
}

int main() {
    std::vector<int> h(32, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(in, h.data(), 128, cudaMemcpyHostToDevice));
    both<<<1, 32>>>(in, out);
    cudaError_t e = cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", cudaGetErrorString(e), h[0]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
