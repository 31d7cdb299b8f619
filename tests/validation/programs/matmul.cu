// Matrix products: naive, with swapped indices, with tiles, and with tiles that conflict in shared memory.
#include <cmath>

#include "program.h"

constexpr int T = 16;

__global__ void naive(const float* M, const float* N, float* P, int W) {
    int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    if (r < W && c < W) {
        float v = 0;
        for (int k = 0; k < W; ++k) v += M[r * W + k] * N[k * W + c];
        P[r * W + c] = v;
    }
}
__global__ void naiveSwapped(const float* M, const float* N, float* P, int W) {
    int r = blockIdx.x * T + threadIdx.x, c = blockIdx.y * T + threadIdx.y;
    if (r < W && c < W) {
        float v = 0;
        for (int k = 0; k < W; ++k) v += M[r * W + k] * N[k * W + c];
        P[r * W + c] = v;
    }
}
__global__ void tiled(const float* M, const float* N, float* P, int W) {
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float v = 0;
    for (int m = 0; m < W / T; ++m) {
        a[ty][tx] = M[r * W + m * T + tx];
        b[ty][tx] = N[c + (m * T + ty) * W];
        __syncthreads();
        for (int k = 0; k < T; ++k) v += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    P[r * W + c] = v;
}
__global__ void tiledTransposed(const float* M, const float* N, float* P, int W) {
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float v = 0;
    for (int m = 0; m < W / T; ++m) {
        a[tx][ty] = M[r * W + m * T + tx];
        b[tx][ty] = N[(m * T + ty) * W + c];
        __syncthreads();
        for (int k = 0; k < T; ++k) v += a[k][ty] * b[tx][k];
        __syncthreads();
    }
    P[r * W + c] = v;
}

int main(int argc, char** argv) {
    const int W = 1024;
    std::vector<float> h(W * W);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = (i * 2654435761u >> 24) / 256.f;
    float *m = to_device(h), *n = to_device(h), *p;
    CHECK(cudaMalloc(&p, h.size() * sizeof(float)));
    const dim3 block(T, T), grid(W / T, W / T / divisor(argc, argv));
    const auto go = [&](const char* name, void (*kernel)(const float*, const float*, float*, int)) {
        CHECK(cudaMemset(p, 0, h.size() * sizeof(float)));
        kernel<<<grid, block>>>(m, n, p, W);
        const auto results = to_host(p, h.size());
        bool right = true;
        // The blocks that a divided grid leaves out are elsewhere in the two orders; both have the first
        // tile.
        for (int r = 0; r < T; ++r)
            for (int c = 0; c < T; ++c) {
                double sum = 0;
                for (int k = 0; k < W; ++k) sum += double(h[r * W + k]) * h[k * W + c];
                right &= std::fabs(results[r * W + c] - sum) <= 1e-4 * sum;
            }
        verdict(name, right);
    };
    go("naive", naive);
    go("naiveSwapped", naiveSwapped);
    go("tiled", tiled);
    go("tiledTransposed", tiledTransposed);
    return wrong_results;
}
