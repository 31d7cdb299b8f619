// The ladder: nine ways to add up an array of integers in global memory, each a small step from the one
// before.
//
//     reduce-integer [N] [BLOCK]        BLOCK: a power of two from 64 to 1024
//
// Every block reduces its part in place and leaves one partial sum; the host adds those.
#include <vector>

#include "lab.h"

// 1. Neighbours: thread 2s·k adds the value s to its right. From the first step on, half of every warp does
// nothing.
__global__ void neighbored(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// 2. The same pairs, but the working threads are the first ones, so whole warps fall idle instead of parts of
// them.
__global__ void neighbored_less(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index < blockDim.x) chunk[index] += chunk[index + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// 3. Far pairs first: threads that stand side by side read values that lie side by side.
__global__ void interleaved(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// What the rest of the ladder starts with: a thread adds `Parts` values, one a block-sized part, before the
// tree begins.
template <unsigned Parts>
__device__ int* gather_parts(int* in, unsigned n) {
    unsigned index = blockIdx.x * blockDim.x * Parts + threadIdx.x;
    if (index + (Parts - 1) * blockDim.x < n) {
        int sum = 0;
#pragma unroll
        for (unsigned part = 0; part < Parts; ++part) sum += in[index + part * blockDim.x];
        in[index] = sum;
    }
    __syncthreads();
    return in + blockIdx.x * blockDim.x * Parts;
}

// 4. to 6. One block does the work of 2, 4 or 8.
template <unsigned Parts>
__global__ void unrolling(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = gather_parts<Parts>(in, n);
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// The last 64 values belong to one warp. It needs no block barrier, but since compute capability 7.0 its
// lanes may run apart, so each step reads, waits for the warp, writes, and waits again.
__device__ void last_warp(volatile int* v, unsigned tid) {
#pragma unroll
    for (unsigned stride = 32; stride > 0; stride >>= 1) {
        int sum = v[tid] + v[tid + stride];
        __syncwarp();
        v[tid] = sum;
        __syncwarp();
    }
}

// 7. No barriers in the last six steps.
__global__ void unroll_warps8(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = gather_parts<8>(in, n);
    for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
        if (tid < stride) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid < 32) last_warp(chunk, tid);
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// 8. No loop left.
__global__ void complete_unroll_warps8(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = gather_parts<8>(in, n);
    if (blockDim.x >= 1024 && tid < 512) chunk[tid] += chunk[tid + 512];
    __syncthreads();
    if (blockDim.x >= 512 && tid < 256) chunk[tid] += chunk[tid + 256];
    __syncthreads();
    if (blockDim.x >= 256 && tid < 128) chunk[tid] += chunk[tid + 128];
    __syncthreads();
    if (blockDim.x >= 128 && tid < 64) chunk[tid] += chunk[tid + 64];
    __syncthreads();
    if (tid < 32) last_warp(chunk, tid);
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// 9. The block size is a template argument: the compiler drops the steps that it does not need.
template <unsigned Block>
__global__ void complete_unroll(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = gather_parts<8>(in, n);
    if (Block >= 1024 && tid < 512) chunk[tid] += chunk[tid + 512];
    if (Block >= 1024) __syncthreads();
    if (Block >= 512 && tid < 256) chunk[tid] += chunk[tid + 256];
    if (Block >= 512) __syncthreads();
    if (Block >= 256 && tid < 128) chunk[tid] += chunk[tid + 128];
    if (Block >= 256) __syncthreads();
    if (Block >= 128 && tid < 64) chunk[tid] += chunk[tid + 64];
    if (Block >= 128) __syncthreads();
    if (tid < 32) last_warp(chunk, tid);
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

using Kernel = void (*)(int*, int*, unsigned);

static Kernel complete_unroll_for(int block) {
    switch (block) {
        case 1024: return complete_unroll<1024>;
        case 512: return complete_unroll<512>;
        case 256: return complete_unroll<256>;
        case 128: return complete_unroll<128>;
        default: return complete_unroll<64>;
    }
}

int main(int argc, char** argv) {
    long n = lab::argument(argc, argv, 1, 1L << 22, 1, 1L << 28, "N");
    int block = static_cast<int>(lab::argument(argc, argv, 2, 512, 64, 1024, "BLOCK"));
    if (!lab::is_power_of_two(block)) {
        std::fprintf(stderr, "%s: BLOCK must be a power of two, not %d\n", argv[0], block);
        return 2;
    }

    // Zeros fill the array up to whole chunks of eight blocks: what the unrolled kernels take in one bite.
    size_t bite = static_cast<size_t>(block) * 8;
    size_t padded = (static_cast<size_t>(n) + bite - 1) / bite * bite;
    std::vector<int> host(padded, 0);
    for (long i = 0; i < n; ++i) host[i] = static_cast<int>(lab::mixed(static_cast<unsigned>(i)) & 0xFF);

    auto start = std::chrono::steady_clock::now();
    long long expected = 0;
    for (int x : host) expected += x;
    double cpu_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();

    size_t bytes = padded * sizeof(int);
    int *pristine = nullptr, *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&pristine, bytes));
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, padded / block * sizeof(int)));
    CHECK(cudaMemcpy(pristine, host.data(), bytes, cudaMemcpyHostToDevice));

    struct Step {
        const char* name;
        int parts;  // blocks' worth of values that one block takes
        Kernel kernel;
    };
    const Step steps[] = {
        {"neighbored", 1, neighbored},
        {"neighboredLess", 1, neighbored_less},
        {"interleaved", 1, interleaved},
        {"unrolling2", 2, unrolling<2>},
        {"unrolling4", 4, unrolling<4>},
        {"unrolling8", 8, unrolling<8>},
        {"unrollWarps8", 8, unroll_warps8},
        {"completeUnrollWarps8", 8, complete_unroll_warps8},
        {"completeUnroll", 8, complete_unroll_for(block)},
    };

    std::printf("%s: %ld integers, block %d\n\n", lab::device_name().c_str(), n, block);
    std::printf("%-22s %8s %10s %9s %14s\n", "kernel", "grid", "ms", "GB/s", "sum");
    std::printf("%-22s %8s %10.3f %9.2f %14lld\n", "(cpu)", "", cpu_ms, bytes / cpu_ms * 1e-6, expected);
    bool all_right = true;
    for (const Step& step : steps) {
        unsigned grid = static_cast<unsigned>(padded / block / step.parts);
        double ms = 0;
        // Twice: the first launch of a kernel includes its translation, so the second is the one to show.
        for (int run = 0; run < 2; ++run) {
            CHECK(cudaMemcpy(in, pristine, bytes, cudaMemcpyDeviceToDevice));
            CHECK(cudaMemset(out, 0xFF, padded / block * sizeof(int)));
            ms = lab::time_ms([&] { step.kernel<<<grid, block>>>(in, out, static_cast<unsigned>(padded)); });
        }
        std::vector<int> partial(grid);
        CHECK(cudaMemcpy(partial.data(), out, grid * sizeof(int), cudaMemcpyDeviceToHost));
        long long sum = 0;
        for (int x : partial) sum += x;
        bool right = sum == expected;
        all_right = all_right && right;
        std::printf("%-22s %8u %10.3f %9.2f %14lld%s\n", step.name, grid, ms, bytes / ms * 1e-6, sum,
                    right ? "" : "  WRONG");
    }
    CHECK(cudaFree(pristine));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return lab::verdict("reduce-integer", all_right);
}
