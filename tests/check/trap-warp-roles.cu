// bug: none
// line: 0
// kernel: roles
// note: cuda::pipeline with producer and consumer warps, and an mbarrier-backed cuda::barrier beside it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void roles(const int* in, int* out, int batches) {
    __shared__ int s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const bool producer = threadIdx.x < 64;
    auto pipe = cuda::make_pipeline(
        block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (producer) {
        for (int b = 0; b < batches; ++b) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[b % 2][threadIdx.x], &in[b * 64 + threadIdx.x], sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        int t = threadIdx.x - 64, acc = 0;
        for (int b = 0; b < batches; ++b) {
            pipe.consumer_wait();
            acc += s[b % 2][63 - t];
            pipe.consumer_release();
        }
        out[t] = acc;
    }
}

int main() {
    const int batches = 5;
    std::vector<int> h(batches * 64, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    roles<<<1, 128>>>(in, out, batches);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return h[0] != batches;
}
