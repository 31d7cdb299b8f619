// bug: uninit-global-read
// line: 21
// kernel: integrate
// note: a struct's velocity is never uploaded: only its position was copied by a strided copy
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Body {
    float pos[3];
    float vel[3];
};

__global__ void integrate(Body* b, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 3; ++k)
        b[i].pos[k] += dt * b[i].vel[k];
}

int main() {
    const int n = 50;
    std::vector<Body> h(n);
    for (auto& b : h)
        for (int k = 0; k < 3; ++k) b.pos[k] = b.vel[k] = 1.0f;
    Body* d;
    CHECK(cudaMalloc(&d, n * sizeof(Body)));
    CHECK(cudaMemcpy2D(d, sizeof(Body), h.data(), sizeof(Body), sizeof(h[0].pos), n, cudaMemcpyHostToDevice));
    integrate<<<1, 64>>>(d, n, 0.1f);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(h.data(), sizeof(Body), d, sizeof(Body), sizeof(h[0].pos), n, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    std::printf("%g\n", h[0].pos[0]);
    return 0;
}
