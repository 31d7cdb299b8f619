// bug: barrier-divergent
// line: 16
// kernel: sweep
// note: a method synchronises, and some threads call it once more than others
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Queue {
    int* slot;
    __device__ void put(int value) {
        slot[threadIdx.x] = value;
        __syncthreads();
    }
};

__global__ void sweep(const int* in, int* out, int n) {
    __shared__ int slot[128];
    Queue queue{slot};
    for (int i = threadIdx.x; i < n; i += blockDim.x) queue.put(in[i]);
    out[threadIdx.x] = slot[threadIdx.x];
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    sweep<<<1, 128>>>(in, out, 200);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
