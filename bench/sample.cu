// Kernels of many kinds over large grids, for what `--sample` costs in accuracy (bench/sample-error.py): work
// that differs from block to block, in steps, by chance or in a few blocks only; data that blocks share, or
// that lie anywhere.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned n = 1u << 22, threads = 256;

__device__ unsigned mixed(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    return x ^ x >> 15;
}
#define INDEX const unsigned i = blockIdx.x * blockDim.x + threadIdx.x

__global__ void axpy(float* y, const float* x) {
    INDEX;
    y[i] += 2 * x[i];
}
__global__ void growing(float* y, const float* x) {
    INDEX;
    float sum = 0;
    for (unsigned k = 0; k < blockIdx.x / 512; ++k) sum += x[(i + k * threads) % n];
    y[i] = sum;
}
__global__ void randomLengths(float* y, const float* x) {
    INDEX;
    float sum = 0;
    for (unsigned k = 0; k < mixed(i) % 32; ++k) sum += x[(i + k * 97) % n];
    y[i] = sum;
}
__global__ void randomBlocks(float* y, const float* x) {
    INDEX;
    float sum = 0;
    for (unsigned k = 0; k < mixed(blockIdx.x) % 64; ++k) sum += x[(i + k * threads) % n];
    y[i] = sum;
}
__global__ void fewBlocks(float* y, const float* x) {
    INDEX;
    if (mixed(blockIdx.x) % 50) return;
    float sum = 0;
    for (unsigned k = 0; k < 100; ++k) sum += x[(i + k * threads) % n];
    y[i] = sum;
}
__global__ void firstTenth(float* y, const float* x) {
    INDEX;
    if (blockIdx.x > gridDim.x / 10) return;
    float sum = 0;
    for (unsigned k = 0; k < 16; ++k) sum += x[(i + k * threads) % n];
    y[i] = sum;
}
__global__ void gather(float* y, const float* x) {
    INDEX;
    y[i] = x[mixed(i) % n];
}
__global__ void table(float* y, const float* x) {
    INDEX;
    float sum = 0;
    for (unsigned k = 0; k < 8; ++k) sum += x[mixed(i + k * n) % 65536];
    y[i] = sum;
}
__global__ void transpose(float* y, const float* x) {
    const unsigned width = 2048, c = blockIdx.x * 32 + threadIdx.x;
    for (unsigned r = blockIdx.y * 32 + threadIdx.y; r < blockIdx.y * 32 + 32; r += 8)
        y[c * width + r] = x[r * width + c];
}
__global__ void stencil(float* y, const float* x, int width, int height) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (c == 0 || r == 0 || c >= width - 1 || r >= height - 1) return;
    y[r * width + c] = x[r * width + c] + x[(r - 1) * width + c] + x[(r + 1) * width + c] +
                       x[r * width + c - 1] + x[r * width + c + 1];
}
__global__ void sumBlocks(float* y, const float* x) {
    __shared__ float part[threads];
    INDEX;
    part[threadIdx.x] = x[i];
    for (unsigned s = threads / 2; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
__global__ void bins(unsigned* counts, const float* x) {
    INDEX;
    atomicAdd(&counts[static_cast<unsigned>(x[i] * 4096)], 1u);
}
__global__ void product(float* y, const float* x) {
    const unsigned width = 1024, c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (unsigned k = 0; k < 256; ++k) sum += x[r * width + k] * x[k * width + c];
    y[r * width + c] = sum;
}
__global__ void rows(float* y, const float* x, const unsigned* first) {
    const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (unsigned k = first[row] + lane; k < first[row + 1]; k += 32) sum += x[mixed(k) % n];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}
__global__ void functions(float* y, const float* x) {
    INDEX;
    y[i] = sinf(x[i]) * expf(-x[i]) + logf(1 + x[i]) / sqrtf(2 + x[i]);
}

int main() {
    std::vector<float> h(n);
    for (unsigned i = 0; i < n; ++i) h[i] = static_cast<float>(i * 2654435761u >> 8) / (1 << 24);
    std::vector<unsigned> starts(n / 32 + 1);
    for (unsigned r = 0; r < n / 32; ++r) starts[r + 1] = starts[r] + (r * 2654435761u >> 16) % 100;
    float *x, *y;
    unsigned *counts, *first;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&counts, 4096 * sizeof(unsigned));
    cudaMalloc(&first, starts.size() * sizeof(unsigned));
    cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(first, starts.data(), starts.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemset(y, 0, n * sizeof(float));
    cudaMemset(counts, 0, 4096 * sizeof(unsigned));
    const unsigned blocks = n / threads;
    axpy<<<blocks, threads>>>(y, x);
    growing<<<blocks, threads>>>(y, x);
    randomLengths<<<blocks, threads>>>(y, x);
    randomBlocks<<<blocks, threads>>>(y, x);
    fewBlocks<<<blocks, threads>>>(y, x);
    firstTenth<<<blocks, threads>>>(y, x);
    gather<<<blocks, threads>>>(y, x);
    table<<<blocks, threads>>>(y, x);
    transpose<<<dim3(64, 64), dim3(32, 8)>>>(y, x);
    stencil<<<dim3(64, 256), dim3(32, 8)>>>(y, x, 2000, 2000);
    sumBlocks<<<blocks, threads>>>(y, x);
    bins<<<blocks, threads>>>(counts, x);
    product<<<dim3(64, 64), dim3(16, 16)>>>(y, x);
    rows<<<n / 32 / 8, threads>>>(y, x, first);
    functions<<<blocks, threads>>>(y, x);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error) std::printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
