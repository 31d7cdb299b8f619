// bug: race-shared-wr
// line: 20,22
// kernel: exchange
// note: arrives at a cuda::barrier and does not wait
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <utility>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void exchange(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> done;
    __shared__ int box[128];
    int t = threadIdx.x;
    if (t == 0) init(&done, blockDim.x);
    __syncthreads();
    box[t] = in[t];
    auto token = done.arrive();
    out[t] = box[127 - t];
    done.wait(std::move(token));
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    exchange<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
