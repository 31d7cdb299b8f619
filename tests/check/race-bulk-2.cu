// bug: race-shared-wr
// line: 32
// kernel: halves
// note: two bulk copies with a barrier each; all threads wait for the first, and read what both bring
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

constexpr int size = 128;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void halves(const int* in, int* out) {
    __shared__ alignas(128) int box[2][size];
    __shared__ barrier came[2];
    int t = threadIdx.x;
    if (t == 0) {
        init(&came[0], 1);
        init(&came[1], 1);
        cuda::device::experimental::fence_proxy_async_shared_cta();
        for (int h = 0; h < 2; ++h) {
            cuda::device::experimental::cp_async_bulk_global_to_shared(box[h], in + h * size, sizeof(box[h]), came[h]);
            (void)cuda::device::barrier_arrive_tx(came[h], 1, sizeof(box[h]));
        }
    }
    __syncthreads();
    came[0].wait_parity(0);
    out[t] = box[0][t];
    out[size + t] = box[1][t];
}

int main() {
    const int n = 2 * size;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    halves<<<1, size>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[n - 1]);
    return 0;
}
