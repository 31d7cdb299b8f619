// Why tiles? A matrix product straight from global memory, through shared-memory tiles, and through tiles
// stored transposed (right, but lanes meet in the same bank).
//
//     matmul [WIDTH]
#include <vector>

#include "lab.h"

constexpr int tile = 16;

__global__ void naive(const float* a, const float* b, float* c, int width) {
    int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
    if (row >= width || col >= width) return;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + col];
    c[row * width + col] = sum;
}

__device__ float element(const float* m, int row, int col, int width) {
    return row < width && col < width ? m[row * width + col] : 0.0f;
}

__global__ void tiled(const float* a, const float* b, float* c, int width) {
    __shared__ float left[tile][tile], right[tile][tile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    for (int start = 0; start < width; start += tile) {
        left[ty][tx] = element(a, row, start + tx, width);
        right[ty][tx] = element(b, start + ty, col, width);
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (row < width && col < width) c[row * width + col] = sum;
}

__global__ void transposed_tile(const float* a, const float* b, float* c, int width) {
    __shared__ float left[tile][tile], right[tile][tile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    for (int start = 0; start < width; start += tile) {
        left[tx][ty] = element(a, row, start + tx, width);
        right[tx][ty] = element(b, start + ty, col, width);
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += left[k][ty] * right[tx][k];
        __syncthreads();
    }
    if (row < width && col < width) c[row * width + col] = sum;
}

int main(int argc, char** argv) {
    int width = static_cast<int>(lab::argument(argc, argv, 1, 256, 1, 8192, "WIDTH"));
    size_t count = static_cast<size_t>(width) * width, bytes = count * sizeof(float);
    // Small whole numbers: every sum is exact in whatever order, so results must be equal, not close.
    std::vector<float> left(count), right(count), expected(count, 0.0f), host(count);
    for (size_t i = 0; i < count; ++i) {
        left[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xF);
        right[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i) + 77) & 0xF);
    }
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col)
                expected[static_cast<size_t>(row) * width + col] +=
                    left[static_cast<size_t>(row) * width + k] * right[static_cast<size_t>(k) * width + col];

    float *a = nullptr, *b = nullptr, *c = nullptr;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemcpy(a, left.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, right.data(), bytes, cudaMemcpyHostToDevice));

    struct Variant {
        const char* name;
        void (*kernel)(const float*, const float*, float*, int);
    };
    const Variant variants[] = {{"naive", naive}, {"tiled", tiled}, {"transposed tile", transposed_tile}};
    dim3 block(tile, tile), grid((width + tile - 1) / tile, (width + tile - 1) / tile);
    std::printf("%s: %d x %d, tile %d\n\n", lab::device_name().c_str(), width, width, tile);
    std::printf("%-18s %10s %10s  %s\n", "kernel", "ms", "GFLOP/s", "values");
    bool all_right = true;
    for (const Variant& variant : variants) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(cudaMemset(c, 0xFF, bytes));
            ms = lab::time_ms([&] { variant.kernel<<<grid, block>>>(a, b, c, width); });
        }
        CHECK(cudaMemcpy(host.data(), c, bytes, cudaMemcpyDeviceToHost));
        bool values_right = host == expected;
        all_right = all_right && values_right;
        std::printf("%-18s %10.3f %10.3f  %s\n", variant.name, ms, 2.0 * count * width / ms * 1e-6,
                    values_right ? "right" : "WRONG");
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return lab::verdict("matmul", all_right);
}
