// bug: race-atomic-mixed
// line: 18,22
// kernel: count
// note: a histogram in shared memory is counted by atomics and cleared by plain stores of the next turn
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void count(const int* in, int* out, int turns) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads();
    for (int turn = 0; turn < turns; ++turn) {
        atomicAdd(&bins[in[t] & 31], 1);
        __syncthreads();
        if (t < 32) {
            out[t] += bins[t];
            bins[t] = 0;
        }
    }
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    count<<<1, 128>>>(in, out, 3);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
