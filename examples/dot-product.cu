// How do blocks put their results together? A dot product whose blocks leave partial sums for the host, or
// add them up themselves with an atomic, or have the last block to finish do it.
//
//     dot-product [N] [GRID]
#include <vector>

#include "lab.h"

constexpr int block_size = 256;

__device__ float block_dot(const float* a, const float* b, long n) {
    __shared__ float cache[block_size];
    float sum = 0.0f;
    for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += static_cast<long>(gridDim.x) * blockDim.x)
        sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned s = block_size / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    return cache[0];
}

__global__ void partial_sums(const float* a, const float* b, float* out, long n) {
    float sum = block_dot(a, b, n);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void atomic_sum(const float* a, const float* b, float* out, long n) {
    float sum = block_dot(a, b, n);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

__device__ unsigned finished_blocks = 0;

// The fence makes a block's partial sum visible before the block counts itself as finished.
__global__ void last_block_sum(const float* a, const float* b, float* out, long n) {
    __shared__ bool last;
    float sum = block_dot(a, b, n);
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0.0f;
        for (unsigned i = 0; i < gridDim.x; ++i) total += static_cast<volatile float*>(out)[1 + i];
        out[0] = total;
    }
}

int main(int argc, char** argv) {
    long n = lab::argument(argc, argv, 1, 1L << 20, 1, 1L << 22, "N");
    unsigned grid = static_cast<unsigned>(lab::argument(argc, argv, 2, 64, 1, 65535, "GRID"));
    // Products of at most 3: the sum stays below 2^24, so float holds it exactly.
    std::vector<float> left(n), right(n);
    double expected = 0;
    for (long i = 0; i < n; ++i) {
        left[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 3);
        right[i] = static_cast<float>(i & 1);
        expected += left[i] * right[i];
    }
    float *a = nullptr, *b = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&a, n * sizeof(float)));
    CHECK(cudaMalloc(&b, n * sizeof(float)));
    CHECK(cudaMalloc(&out, (grid + 1) * sizeof(float)));
    CHECK(cudaMemcpy(a, left.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, right.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    struct Variant {
        const char* name;
        void (*kernel)(const float*, const float*, float*, long);
        unsigned results;  // values that the host adds up
    };
    const Variant variants[] = {{"partial sums", partial_sums, grid},
                                {"atomic add", atomic_sum, 1},
                                {"last block", last_block_sum, 1}};
    std::printf("%s: %ld floats, %u blocks of %d, cpu %.0f\n\n", lab::device_name().c_str(), n, grid,
                block_size, expected);
    std::printf("%-14s %10s %14s\n", "how", "ms", "dot product");
    bool all_right = true;
    for (const Variant& variant : variants) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(cudaMemset(out, 0, (grid + 1) * sizeof(float)));
            ms = lab::time_ms([&] { variant.kernel<<<grid, block_size>>>(a, b, out, n); });
        }
        std::vector<float> results(variant.results);
        CHECK(cudaMemcpy(results.data(), out, variant.results * sizeof(float), cudaMemcpyDeviceToHost));
        double dot = 0;
        for (float x : results) dot += x;
        bool right_value = dot == expected;
        all_right = all_right && right_value;
        std::printf("%-14s %10.3f %14.0f%s\n", variant.name, ms, dot, right_value ? "" : "  WRONG");
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(out));
    return lab::verdict("dot-product", all_right);
}
