// The second ladder: eight steps of a float sum in shared memory.
//
//     reduce-shared [N] [BLOCK]         BLOCK: 64, 128, 256 or 512
//
// The values are small whole numbers, so every sum is exact and must equal the CPU's.
#include <vector>

#include "lab.h"

extern __shared__ float dynamic[];

__device__ float load_or_zero(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

// 1. Interleaved addressing with a remainder: threads far apart work, and % is slow.
__global__ void interleaved_modulo(const float* in, float* out, unsigned n) {
    unsigned tid = threadIdx.x;
    dynamic[tid] = load_or_zero(in, blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) dynamic[tid] += dynamic[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = dynamic[0];
}

// 2. The first threads work, at a strided index: no divergence, but lanes meet in the same bank.
__global__ void strided_index(const float* in, float* out, unsigned n) {
    unsigned tid = threadIdx.x;
    dynamic[tid] = load_or_zero(in, blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * tid;
        if (index < blockDim.x) dynamic[index] += dynamic[index + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = dynamic[0];
}

// 3. Sequential addresses: no bank conflicts.
__global__ void sequential(const float* in, float* out, unsigned n) {
    unsigned tid = threadIdx.x;
    dynamic[tid] = load_or_zero(in, blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) dynamic[tid] += dynamic[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = dynamic[0];
}

__device__ void load_two(const float* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    dynamic[threadIdx.x] = load_or_zero(in, i, n) + load_or_zero(in, i + blockDim.x, n);
    __syncthreads();
}

// 4. Half of the threads would have idled in the first step: let each add two values while loading.
__global__ void first_add(const float* in, float* out, unsigned n) {
    unsigned tid = threadIdx.x;
    load_two(in, n);
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) dynamic[tid] += dynamic[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = dynamic[0];
}

// Volatile keeps the compiler from holding values back in registers; __syncwarp keeps lanes together from
// compute capability 7.0 on, where a warp's lanes may run apart.
__device__ void last_warp(volatile float* v, unsigned tid) {
#pragma unroll
    for (unsigned s = 32; s > 0; s >>= 1) {
        float sum = v[tid] + v[tid + s];
        __syncwarp();
        v[tid] = sum;
        __syncwarp();
    }
}

// 5. The last warp needs no block barriers.
__global__ void unroll_last_warp(const float* in, float* out, unsigned n) {
    unsigned tid = threadIdx.x;
    load_two(in, n);
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) dynamic[tid] += dynamic[tid + s];
        __syncthreads();
    }
    if (tid < 32) last_warp(dynamic, tid);
    if (tid == 0) out[blockIdx.x] = dynamic[0];
}

// What steps 6 to 8 share: from Block values in shared memory down to 64, with no loop.
template <unsigned Block>
__device__ void down_to_64(float* v, unsigned tid) {
    if constexpr (Block >= 512) {
        if (tid < 256) v[tid] += v[tid + 256];
        __syncthreads();
    }
    if constexpr (Block >= 256) {
        if (tid < 128) v[tid] += v[tid + 128];
        __syncthreads();
    }
    if constexpr (Block >= 128) {
        if (tid < 64) v[tid] += v[tid + 64];
        __syncthreads();
    }
}

// 6. The block size is known when compiling.
template <unsigned Block>
__global__ void complete_unroll(const float* in, float* out, unsigned n) {
    __shared__ float v[Block];
    unsigned tid = threadIdx.x, i = blockIdx.x * Block * 2 + tid;
    v[tid] = load_or_zero(in, i, n) + load_or_zero(in, i + Block, n);
    __syncthreads();
    down_to_64<Block>(v, tid);
    if (tid < 32) last_warp(v, tid);
    if (tid == 0) out[blockIdx.x] = v[0];
}

template <unsigned Block>
__device__ float cascade(const float* in, unsigned n) {
    float sum = 0.0f;
    for (unsigned i = blockIdx.x * Block * 2 + threadIdx.x; i < n; i += gridDim.x * Block * 2)
        sum += in[i] + load_or_zero(in, i + Block, n);
    return sum;
}

// 7. Algorithm cascading: few blocks, each thread first adds many values on its own.
template <unsigned Block>
__global__ void cascading(const float* in, float* out, unsigned n) {
    __shared__ float v[Block];
    unsigned tid = threadIdx.x;
    v[tid] = cascade<Block>(in, n);
    __syncthreads();
    down_to_64<Block>(v, tid);
    if (tid < 32) last_warp(v, tid);
    if (tid == 0) out[blockIdx.x] = v[0];
}

// 8. The last warp passes values from register to register.
template <unsigned Block>
__global__ void warp_shuffle(const float* in, float* out, unsigned n) {
    __shared__ float v[Block];
    unsigned tid = threadIdx.x;
    v[tid] = cascade<Block>(in, n);
    __syncthreads();
    down_to_64<Block>(v, tid);
    if (tid < 32) {
        float sum = v[tid] + v[tid + 32];
        for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xFFFFFFFFu, sum, offset);
        if (tid == 0) out[blockIdx.x] = sum;
    }
}

using Kernel = void (*)(const float*, float*, unsigned);

template <unsigned Block>
static bool ladder(const std::vector<float>& host, double expected) {
    unsigned n = static_cast<unsigned>(host.size());
    unsigned single = (n + Block - 1) / Block, pairs = (n + 2 * Block - 1) / (2 * Block);
    unsigned few = pairs < 64 ? pairs : 64;
    struct Step {
        const char* name;
        unsigned grid;
        bool dynamic_shared;
        Kernel kernel;
    };
    const Step steps[] = {
        {"1 interleaved, modulo", single, true, interleaved_modulo},
        {"2 strided index", single, true, strided_index},
        {"3 sequential", single, true, sequential},
        {"4 first add on load", pairs, true, first_add},
        {"5 unroll last warp", pairs, true, unroll_last_warp},
        {"6 complete unroll", pairs, false, complete_unroll<Block>},
        {"7 cascading", few, false, cascading<Block>},
        {"8 warp shuffle", few, false, warp_shuffle<Block>},
    };

    float *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, single * sizeof(float)));
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    std::printf("%-24s %8s %10s %9s %14s\n", "step", "grid", "ms", "GB/s", "sum");
    bool all_right = true;
    for (const Step& step : steps) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(cudaMemset(out, 0xFF, single * sizeof(float)));
            ms = lab::time_ms([&] {
                step.kernel<<<step.grid, Block, step.dynamic_shared ? Block * sizeof(float) : 0>>>(in, out,
                                                                                                   n);
            });
        }
        std::vector<float> partial(step.grid);
        CHECK(cudaMemcpy(partial.data(), out, step.grid * sizeof(float), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (float x : partial) sum += x;
        bool right = sum == expected;
        all_right = all_right && right;
        std::printf("%-24s %8u %10.3f %9.2f %14.0f%s\n", step.name, step.grid, ms, n * 4e-6 / ms, sum,
                    right ? "" : "  WRONG");
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return all_right;
}

int main(int argc, char** argv) {
    long n = lab::argument(argc, argv, 1, 1L << 22, 1, 1L << 26, "N");
    long block = lab::argument(argc, argv, 2, 256, 64, 512, "BLOCK");
    std::vector<float> host(static_cast<size_t>(n));
    double expected = 0;
    for (long i = 0; i < n; ++i) {
        host[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xF);
        expected += host[i];
    }
    std::printf("%s: %ld floats, block %ld, cpu sum %.0f\n\n", lab::device_name().c_str(), n, block,
                expected);
    switch (block) {
        case 64: return lab::verdict("reduce-shared", ladder<64>(host, expected));
        case 128: return lab::verdict("reduce-shared", ladder<128>(host, expected));
        case 256: return lab::verdict("reduce-shared", ladder<256>(host, expected));
        case 512: return lab::verdict("reduce-shared", ladder<512>(host, expected));
        default:
            std::fprintf(stderr, "%s: BLOCK must be 64, 128, 256 or 512, not %ld\n", argv[0], block);
            return 2;
    }
}
