// bug: use-after-free
// line: 32
// kernel: sum
// note: a resize frees the old buffer and the view in the captured lambda still points to it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Buffer {
    float* p = nullptr;
    int n = 0;
    int resize(int m) {
        float* q;
        CHECK(cudaMalloc(&q, m * sizeof(float)));
        CHECK(cudaMemset(q, 0, m * sizeof(float)));
        if (p) {
            CHECK(cudaMemcpy(q, p, n * sizeof(float), cudaMemcpyDeviceToDevice));
            CHECK(cudaFree(p));
        }
        p = q;
        n = m;
        return 0;
    }
};

__global__ void sum(const float* v, int n, float* out) {
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += v[i];
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    if (threadIdx.x == 0) *out = s;
}

int main() {
    Buffer b;
    if (b.resize(100)) return 1;
    const auto launch = [view = b.p](int n, float* out) { sum<<<1, 32>>>(view, n, out); };
    if (b.resize(300)) return 1;
    float *out, r;
    CHECK(cudaMalloc(&out, sizeof(float)));
    launch(100, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(b.p));
    CHECK(cudaFree(out));
    std::printf("%g\n", r);
    return 0;
}
