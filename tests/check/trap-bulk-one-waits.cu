// bug: none
// line: 0
// kernel: load
// note: one thread waits for a bulk copy, and the others for that thread at __syncthreads()
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void load(const int* in, int* out) {
    __shared__ alignas(128) int box[256];
    __shared__ barrier full;
    int t = threadIdx.x;
    if (t == 0) {
        init(&full, 1);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (t == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(box, in, sizeof(box), full);
        full.wait(cuda::device::barrier_arrive_tx(full, 1, sizeof(box)));
    }
    __syncthreads();
    out[t] = box[255 - t];
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    load<<<1, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
