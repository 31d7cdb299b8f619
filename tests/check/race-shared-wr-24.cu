// bug: race-shared-wr
// line: 17
// kernel: gather
// note: lane 0 of each warp writes a total for all of them, one slot too far
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void gather(const int* in, int* out) {
    __shared__ int total[9];
    int t = threadIdx.x, warp = t / 32;
    if (t % 32 == 0)
        for (int i = 0; i < 2; ++i)
            total[warp + i] = in[t] + i;
    __syncthreads();
    out[t] = total[warp];
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    gather<<<1, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
