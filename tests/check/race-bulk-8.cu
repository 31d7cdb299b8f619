// bug: race-shared-wr
// line: 34,43
// kernel: stages
// note: lane 0 of each warp says that the stage is empty, but the other lanes may still read it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <utility>
#include <cuda/barrier>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

constexpr int size = 128, depth = 2;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void stages(const int* in, int* out, int pieces) {
    __shared__ alignas(128) int box[depth][size];
    __shared__ barrier full[depth], empty[depth];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < depth; ++s) {
            init(&full[s], 1);
            init(&empty[s], size / 32);
        }
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (t >= size) {
        if (t == size)
            for (int p = 0; p < pieces; ++p) {
                int s = p % depth;
                if (p >= depth) empty[s].wait_parity((p / depth - 1) % 2);
                cuda::device::experimental::cp_async_bulk_global_to_shared(box[s], in + p * size, sizeof(box[s]), full[s]);
                (void)cuda::device::barrier_arrive_tx(full[s], 1, sizeof(box[s]));
            }
        return;
    }
    int sum = 0;
    for (int p = 0; p < pieces; ++p) {
        int s = p % depth;
        full[s].wait_parity(p / depth % 2);
        sum += box[s][size - 1 - t];
        if (t % 32 == 0) (void)empty[s].arrive();
    }
    out[t] = sum;
}

int main() {
    const int pieces = 6, n = pieces * size;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, size * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    stages<<<1, size + 32>>>(in, out, pieces);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, size * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
