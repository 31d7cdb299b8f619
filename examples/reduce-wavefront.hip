// The second ladder on AMD's GPUs: eight steps of an integer sum in the LDS, where the last steps belong to a
// wavefront of 64 lanes.
//
//     reduce-wavefront [N]
//
//     lockstep profile reduce-wavefront.hip       omniperf's figures of every step
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        const hipError_t status = (call);                                                       \
        if (status != hipSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(status)); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

constexpr unsigned block = 256, wave = 64;

extern __shared__ int lds[];

__device__ int load_or_zero(const int* in, unsigned i, unsigned n) { return i < n ? in[i] : 0; }

// 1. Interleaved addressing with a remainder: lanes far apart work, and % is slow.
__global__ void step1_interleaved(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    lds[tid] = load_or_zero(in, blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) lds[tid] += lds[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = lds[0];
}

// 2. The first threads work, at a strided index: whole wavefronts are idle, but lanes meet in the same bank.
__global__ void step2_strided(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    lds[tid] = load_or_zero(in, blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        const unsigned index = 2 * s * tid;
        if (index < blockDim.x) lds[index] += lds[index + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = lds[0];
}

// 3. Sequential addresses: no bank conflicts.
__global__ void step3_sequential(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    lds[tid] = load_or_zero(in, blockIdx.x * blockDim.x + tid, n);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) lds[tid] += lds[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = lds[0];
}

__device__ void load_two(const int* in, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    lds[threadIdx.x] = load_or_zero(in, i, n) + load_or_zero(in, i + blockDim.x, n);
    __syncthreads();
}

// 4. Half of the threads would have idled in the first round: each adds two values while loading.
__global__ void step4_first_add(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    load_two(in, n);
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) lds[tid] += lds[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = lds[0];
}

// A wavefront's lanes run in step: no barrier is needed among them. `volatile` makes every sum go through the
// LDS, in order: seven loads that wait for the store before them, where step 4 has barriers.
__device__ void last_wavefront(volatile int* v, unsigned tid) {
#pragma unroll
    for (unsigned s = wave; s > 0; s >>= 1) v[tid] += v[tid + s];
}

// 5. The last wavefront needs no barriers.
__global__ void step5_unroll_last(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    load_two(in, n);
    for (unsigned s = blockDim.x / 2; s > wave; s >>= 1) {
        if (tid < s) lds[tid] += lds[tid + s];
        __syncthreads();
    }
    if (tid < wave) last_wavefront(lds, tid);
    if (tid == 0) out[blockIdx.x] = lds[0];
}

template <unsigned Block>
__device__ void down_to_two_waves(int* v, unsigned tid) {
    if constexpr (Block >= 512) {
        if (tid < 256) v[tid] += v[tid + 256];
        __syncthreads();
    }
    if constexpr (Block >= 256) {
        if (tid < 128) v[tid] += v[tid + 128];
        __syncthreads();
    }
}

// 6. The block's size is known when compiling: no loop is left.
template <unsigned Block>
__global__ void step6_complete_unroll(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    load_two(in, n);
    down_to_two_waves<Block>(lds, tid);
    if (tid < wave) last_wavefront(lds, tid);
    if (tid == 0) out[blockIdx.x] = lds[0];
}

template <unsigned Block>
__device__ int cascade(const int* in, unsigned n) {
    int sum = 0;
    for (unsigned i = blockIdx.x * Block * 2 + threadIdx.x; i < n; i += gridDim.x * Block * 2)
        sum += in[i] + load_or_zero(in, i + Block, n);
    return sum;
}

// 7. Few blocks: each thread first adds many values on its own.
template <unsigned Block>
__global__ void step7_cascading(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    lds[tid] = cascade<Block>(in, n);
    __syncthreads();
    down_to_two_waves<Block>(lds, tid);
    if (tid < wave) last_wavefront(lds, tid);
    if (tid == 0) out[blockIdx.x] = lds[0];
}

// 8. The last wavefront passes values from register to register.
template <unsigned Block>
__global__ void step8_shuffle(const int* in, int* out, unsigned n) {
    const unsigned tid = threadIdx.x;
    lds[tid] = cascade<Block>(in, n);
    __syncthreads();
    down_to_two_waves<Block>(lds, tid);
    if (tid < wave) {
        int sum = lds[tid] + lds[tid + wave];
        for (unsigned offset = wave / 2; offset > 0; offset >>= 1) sum += __shfl_down(sum, offset);
        if (tid == 0) out[blockIdx.x] = sum;
    }
}

int main(int argc, char** argv) {
    const long asked = argc > 1 ? std::strtol(argv[1], nullptr, 0) : 1L << 20;
    if (asked < 1 || asked > 1L << 26) {
        std::fprintf(stderr, "%s: N must be a number from 1 to %ld\n", argv[0], 1L << 26);
        return 2;
    }
    const auto n = static_cast<unsigned>(asked);
    std::vector<int> host(n);
    long expected = 0;
    for (unsigned i = 0; i < n; ++i) {
        host[i] = static_cast<int>(i * 2654435761u >> 28);
        expected += host[i];
    }
    const unsigned single = (n + block - 1) / block, pairs = (n + 2 * block - 1) / (2 * block);
    const unsigned few = pairs < 480 ? pairs : 480;  // four blocks a compute unit of an MI100
    struct Step {
        const char* name;
        unsigned grid;
        void (*kernel)(const int*, int*, unsigned);
    };
    const Step steps[] = {
        {"1 interleaved, modulo", single, step1_interleaved},
        {"2 strided index", single, step2_strided},
        {"3 sequential", single, step3_sequential},
        {"4 first add on load", pairs, step4_first_add},
        {"5 unroll last wavefront", pairs, step5_unroll_last},
        {"6 complete unroll", pairs, step6_complete_unroll<block>},
        {"7 cascading", few, step7_cascading<block>},
        {"8 shuffle", few, step8_shuffle<block>},
    };
    hipDeviceProp_t device;
    CHECK(hipGetDeviceProperties(&device, 0));
    std::printf("%s: %u ints, block %u, wavefront %d, cpu sum %ld\n\n", device.name, n, block,
                device.warpSize, expected);
    int *in = nullptr, *out = nullptr;
    CHECK(hipMalloc(&in, n * sizeof(int)));
    CHECK(hipMalloc(&out, single * sizeof(int)));
    CHECK(hipMemcpy(in, host.data(), n * sizeof(int), hipMemcpyHostToDevice));
    hipEvent_t begin, end;
    CHECK(hipEventCreate(&begin));
    CHECK(hipEventCreate(&end));
    std::printf("%-24s %8s %10s %14s\n", "step", "grid", "us", "sum");
    bool all_right = true;
    for (const Step& step : steps) {
        float ms = 0;
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(hipMemset(out, 0xFF, single * sizeof(int)));
            CHECK(hipEventRecord(begin));
            step.kernel<<<step.grid, block, 2 * block * sizeof(int)>>>(in, out, n);
            CHECK(hipGetLastError());
            CHECK(hipEventRecord(end));
            CHECK(hipEventSynchronize(end));
            CHECK(hipEventElapsedTime(&ms, begin, end));
        }
        std::vector<int> partial(step.grid);
        CHECK(hipMemcpy(partial.data(), out, step.grid * sizeof(int), hipMemcpyDeviceToHost));
        long sum = 0;
        for (const int x : partial) sum += x;
        all_right = all_right && sum == expected;
        std::printf("%-24s %8u %10.2f %14ld%s\n", step.name, step.grid, 1e3 * ms, sum,
                    sum == expected ? "" : "  WRONG");
    }
    CHECK(hipEventDestroy(begin));
    CHECK(hipEventDestroy(end));
    CHECK(hipFree(in));
    CHECK(hipFree(out));
    std::printf("reduce-wavefront %s\n", all_right ? "ok" : "WRONG");
    return all_right ? 0 : 1;
}
