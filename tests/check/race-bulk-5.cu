// bug: race-global-blocks
// line: 21
// kernel: both
// note: bulk copies of two blocks go to the same row
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <utility>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void both(const int* in, int* out) {
    __shared__ alignas(128) int box[128];
    int t = threadIdx.x;
    box[t] = in[blockIdx.x * 128 + t] + blockIdx.x;
    cuda::device::experimental::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        cuda::device::experimental::cp_async_bulk_shared_to_global(out + blockIdx.x / 2 * 128, box, sizeof(box));
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
}

int main() {
    const int n = 512;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    both<<<4, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
