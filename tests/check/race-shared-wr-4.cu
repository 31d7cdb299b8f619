// bug: race-shared-wr
// line: 16,23
// kernel: pipeline
// note: the async copy of the next stage is waited for by its own thread only (no barrier after wait), and another thread reads it
#include <cstdio>
#include <cuda_pipeline.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void pipeline(const int4* in, int* out, int stages) {
    __shared__ int4 buf[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&buf[0][t], &in[t], sizeof(int4));
    __pipeline_commit();
    int acc = 0;
    for (int k = 0; k < stages; ++k) {
        if (k + 1 < stages) __pipeline_memcpy_async(&buf[(k + 1) & 1][t], &in[(k + 1) * 64 + t], sizeof(int4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        int4 v = buf[k & 1][63 - t];
        acc += v.x + v.w;
        __syncthreads();
    }
    out[t] = acc;
}

int main() {
    const int stages = 4;
    std::vector<int4> h(64 * stages);
    for (int i = 0; i < 64 * stages; ++i) h[i] = make_int4(i, 0, 0, 1);
    std::vector<int> r(64);
    int4* in;
    int* out;
    CHECK(cudaMalloc(&in, h.size() * sizeof(int4)));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), h.size() * sizeof(int4), cudaMemcpyHostToDevice));
    pipeline<<<1, 64>>>(in, out, stages);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
