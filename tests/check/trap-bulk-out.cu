// bug: none
// line: 0
// kernel: turn
// note: a bulk copy out of shared memory, of which the reads are waited for before the box is written again
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <utility>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void turn(const int* in, int* out, int rounds) {
    __shared__ alignas(128) int box[128];
    int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        box[127 - t] = in[r * 128 + t];
        cuda::device::experimental::fence_proxy_async_shared_cta();
        __syncthreads();
        if (t == 0) {
            cuda::device::experimental::cp_async_bulk_shared_to_global(out + r * 128, box, sizeof(box));
            cuda::device::experimental::cp_async_bulk_commit_group();
            cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
        }
        __syncthreads();
    }
    if (t == 0) cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
}

int main() {
    const int n = 512;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    turn<<<1, 128>>>(in, out, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
