// bug: race-shared-wr
// line: 26,31
// kernel: sum
// note: the stage is released before it is read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;
__global__ void sum(const int* in, int* out, int pieces) {
    constexpr int stages = 2;
    __shared__ int box[stages][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int total = 0;
    for (int next = 0, p = 0; p < pieces; ++p) {
        for (; next < pieces && next < p + stages; ++next) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, box[next % stages], in + next * 128, sizeof(box[0]), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        pipe.consumer_release();
        total += box[p % stages][127 - block.thread_rank()];
    }
    out[block.thread_rank()] = total;
}

int main() {
    const int n = 512;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    sum<<<1, 128>>>(in, out, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
