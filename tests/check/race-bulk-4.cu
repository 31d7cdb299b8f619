// bug: race-shared-wr
// line: 28,34
// kernel: pieces
// note: a thread starts the bulk copy of the next piece when it has read this one itself, whatever the others do
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <utility>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void pieces(const int* in, int* out, int count) {
    __shared__ alignas(128) int box[128];
    __shared__ barrier full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        init(&full, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    for (int p = 0; p < count; ++p) {
        barrier::arrival_token token;
        if (t == 0) {
            cuda::device::experimental::cp_async_bulk_global_to_shared(box, in + p * 128, sizeof(box), full);
            token = cuda::device::barrier_arrive_tx(full, 1, sizeof(box));
        } else {
            token = full.arrive();
        }
        full.wait(std::move(token));
        sum += box[127 - t];
    }
    out[t] = sum;
}

int main() {
    const int n = 512;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    pieces<<<1, 128>>>(in, out, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
