// bug: race-shared-wr
// line: 19,20
// kernel: tiles
// note: the ring of tiles has two slots and a barrier per step, but the prefetch goes into the slot that slow warps may still read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void tiles(const float* in, float* out, int steps) {
    __shared__ float ring[2][96];
    int t = threadIdx.x;
    float acc = 0.0f;
    ring[0][t] = in[t];
    for (int k = 0; k < steps; ++k) {
        __syncthreads();
        acc += ring[k & 1][95 - t];
        if (k + 2 < steps) ring[k & 1][t] = in[(k + 2) * 96 + t];
        if (k == 0) ring[1][t] = in[96 + t];
    }
    out[t] = acc;
}

int main() {
    const int steps = 6;
    std::vector<float> h(steps * 96, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, 96 * 4));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    tiles<<<1, 96>>>(in, out, steps);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 96 * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return 0;
}
