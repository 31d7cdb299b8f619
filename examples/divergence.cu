// Does a branch inside a warp cost time? Four kernels compute the same kind of two-sided choice; they differ
// in who takes which side, and in how the choice is written.
//
//     divergence [BLOCK] [SIZE]
#include <vector>

#include "lab.h"

// Whole warps agree: even warps take one side, odd warps the other.
__global__ void warm_up(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    if ((tid / warpSize) % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[tid] = a + b;
}

// Neighbours disagree: every warp holds both sides.
__global__ void kernel1(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    if (tid % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[tid] = a + b;
}

__global__ void kernel2(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    if ((tid / warpSize) % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[tid] = a + b;
}

// The same as kernel1 with the predicate spelled out.
__global__ void kernel3(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    bool even = tid % 2 == 0;
    if (even) a = 100.0f;
    if (!even) b = 200.0f;
    c[tid] = a + b;
}

// Often printed as `if (warp & 0x01 == 0)`, which C++ reads as `warp & (0x01 == 0)`: never true. It is kept
// here, with its brackets, because people measure it and wonder why it is the fastest.
__global__ void kernel4(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    int warp = tid >> 5;
    if (warp & (0x01 == 0))
        a = 100.0f;
    else
        b = 200.0f;
    c[tid] = a + b;
}

int main(int argc, char** argv) {
    int block = static_cast<int>(lab::argument(argc, argv, 1, 64, 1, 1024, "BLOCK"));
    long size = lab::argument(argc, argv, 2, 1 << 20, 1, 1L << 28, "SIZE");
    int grid = static_cast<int>((size + block - 1) / block);
    size_t threads =
        static_cast<size_t>(grid) * block;  // the last block may reach past SIZE; it has memory there

    std::printf("%s: %ld values, block %d, grid %d\n\n", lab::device_name().c_str(), size, block, grid);
    float* c = nullptr;
    CHECK(cudaMalloc(&c, threads * sizeof(float)));

    struct Row {
        const char* name;
        void (*kernel)(float*);
        float (*expected)(size_t);
    };
    auto by_warp = [](size_t t) { return (t / 32) % 2 == 0 ? 100.0f : 200.0f; };
    auto by_parity = [](size_t t) { return t % 2 == 0 ? 100.0f : 200.0f; };
    const Row rows[] = {
        {"warm_up", warm_up, by_warp},
        {"kernel1", kernel1, by_parity},
        {"kernel2", kernel2, by_warp},
        {"kernel3", kernel3, by_parity},
        {"kernel4", kernel4, [](size_t) { return 200.0f; }},
    };

    bool all_right = true;
    std::vector<float> host(threads);
    std::printf("%-10s %10s  %s\n", "kernel", "ms", "values");
    for (const Row& row : rows) {
        CHECK(cudaMemset(c, 0, threads * sizeof(float)));
        double ms = lab::time_ms([&] { row.kernel<<<grid, block>>>(c); });
        CHECK(cudaMemcpy(host.data(), c, threads * sizeof(float), cudaMemcpyDeviceToHost));
        bool right = true;
        for (size_t t = 0; t < threads; ++t) right = right && host[t] == row.expected(t);
        all_right = all_right && right;
        std::printf("%-10s %10.3f  %s\n", row.name, ms, right ? "right" : "WRONG");
    }
    CHECK(cudaFree(c));
    return lab::verdict("divergence", all_right);
}
