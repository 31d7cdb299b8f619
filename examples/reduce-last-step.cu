// The ladder's last steps: where the seeds' fastest kernel stops, and how far a sum of integers can go.
//
//     reduce-last-step [LOG2N] [REPEATS]        2^LOG2N integers, 16 to 30; the median of REPEATS times by
//     events
//
// Each step needs what the one before it gives:
//   1 two launches        blocks add up eight integers a thread, a second launch adds up the blocks: the
//   seeds' last step 2 one launch          the block that ends last adds up the blocks: half of a small sum's
//   time is its second launch 3 one atomic          a block's sum and the count of blocks that are done are
//   one 64-bit number: nobody reads sums again 4 64 bytes a thread   four loads of 16 bytes are under way at
//   once: Little's law for memory 5 bulk copies         one thread keeps 224 KB of copies to shared memory
//   under way: no registers, no load instructions
#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab.h"

constexpr int block = 512;

__device__ int sum_of_warp(int value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, value);
#else
    for (int s = 16; s > 0; s /= 2) value += __shfl_down_sync(~0u, value, s);
    return value;
#endif
}

// The sum of the block's values, in thread 0.
__device__ int sum_of_block(int value) {
    __shared__ int of_warp[block / 32];
    value = sum_of_warp(value);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return 0;
    value = threadIdx.x < block / 32 ? of_warp[threadIdx.x] : 0;
    return sum_of_warp(value);
}

// Eight integers a thread, as the seeds' unrolled kernels read them.
__device__ int sum_of_eight(const int* in, size_t n) {
    int sum = 0;
    size_t i = static_cast<size_t>(blockIdx.x) * block * 8 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 8; ++k, i += block)
        if (i < n) sum += in[i];
    return sum;
}

__global__ void block_sums(const int* in, int* sums, size_t n) {
    const int sum = sum_of_block(sum_of_eight(in, n));
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void sum_of_sums(const int* sums, int* out, int count) {
    int sum = 0;
    for (int i = threadIdx.x; i < count; i += block) sum += sums[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) *out = sum;
}

__device__ unsigned blocks_done;

__global__ void last_block_adds(const int* in, int* sums, int* out, size_t n) {
    __shared__ bool is_last;
    int sum = sum_of_block(sum_of_eight(in, n));
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();  // the sum is there before the block counts as done
        is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += block) sum += __ldcg(sums + i);
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) *out = sum;
}

// The sum so far in the upper half, the blocks that have added theirs in the lower: counting never carries
// into the sum.
__device__ unsigned long long sum_and_count;

__device__ void add_to_total(int sum, int* out) {
    sum = sum_of_block(sum);
    if (threadIdx.x != 0) return;
    const unsigned long long mine = (static_cast<unsigned long long>(static_cast<unsigned>(sum)) << 32) | 1;
    const unsigned long long before = atomicAdd(&sum_and_count, mine);
    if (static_cast<unsigned>(before) != gridDim.x - 1) return;
    *out = static_cast<int>((before + mine) >> 32);
    sum_and_count = 0;  // for the next launch
}

__global__ void one_atomic(const int* in, int* out, size_t n) { add_to_total(sum_of_eight(in, n), out); }

__device__ int sum_of(int4 v) { return v.x + v.y + v.z + v.w; }

// `n4` is a multiple of four blocks' worth.
__global__ void __launch_bounds__(block) wide_loads(const int4* in, int* out, size_t n4) {
    constexpr int loads = 4;
    int sum = 0;
    const size_t step = static_cast<size_t>(gridDim.x) * block * loads;
    for (size_t i = static_cast<size_t>(blockIdx.x) * block * loads + threadIdx.x; i < n4; i += step) {
        int4 values[loads];
#pragma unroll
        for (int k = 0; k < loads; ++k) values[k] = __ldg(in + i + k * block);
#pragma unroll
        for (int k = 0; k < loads; ++k) sum += sum_of(values[k]);
    }
    add_to_total(sum, out);
}

constexpr int stages = 7, tile_bytes = 32 << 10, tile = tile_bytes / sizeof(int4);

#if __CUDA_ARCH__ >= 900  // Hopper's copy engine
__device__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void begin_copy(int4* to, const int4* from, unsigned long long* done) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(done)),
                 "r"(tile_bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(tile_bytes), "r"(shared_address(done))
        : "memory");
}

__device__ void wait_for(unsigned long long* done, unsigned phase) {
    unsigned ready = 0;
    while (!ready)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(ready)
            : "r"(shared_address(done)), "r"(phase)
            : "memory");
}
#endif

// A ring of tiles in shared memory: while one is added up, six are on their way.
__global__ void __launch_bounds__(block) bulk_copies(const int4* in, int* out, size_t n4) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) int4 ring[];
    __shared__ unsigned long long arrived[stages];
    const size_t tiles = n4 / tile;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s)
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&arrived[s])));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        for (int s = 0; s < stages; ++s) {
            const size_t t = blockIdx.x + static_cast<size_t>(s) * gridDim.x;
            if (t < tiles) begin_copy(ring + s * tile, in + t * tile, &arrived[s]);
        }
    }
    __syncthreads();
    int sum = 0, stage = 0;
    unsigned phase = 0;
    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        wait_for(&arrived[stage], phase);
#pragma unroll
        for (int i = threadIdx.x; i < tile; i += block) sum += sum_of(ring[stage * tile + i]);
        __syncthreads();  // everybody has read the tile
        const size_t next = t + static_cast<size_t>(stages) * gridDim.x;
        if (threadIdx.x == 0 && next < tiles)
            begin_copy(ring + stage * tile, in + next * tile, &arrived[stage]);
        if (++stage == stages) stage = 0, phase ^= 1;
    }
    add_to_total(sum, out);
#endif
}

// Microseconds by events, the median.
template <class Launch>
float microseconds(Launch launch, int repeats) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = -1; i < repeats; ++i) {
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (i >= 0) times.push_back(1000 * ms);
    }
    std::sort(times.begin(), times.end());
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return times[times.size() / 2];
}

int main(int argc, char** argv) {
    const long log2n = lab::argument(argc, argv, 1, 20, 16, 30, "LOG2N");
    const int repeats = static_cast<int>(lab::argument(argc, argv, 2, 5, 1, 1000, "REPEATS"));
    const size_t n = size_t{1} << log2n, n4 = n / 4;
    // The same 2^16 numbers again and again: the sum is known without adding up all.
    std::vector<int> part(size_t{1} << 16);
    unsigned expected = 0;
    for (size_t i = 0; i < part.size(); ++i) {
        part[i] = static_cast<int>(lab::mixed(static_cast<unsigned>(i)));
        expected += static_cast<unsigned>(part[i]);
    }
    expected *= static_cast<unsigned>(n / part.size());
    cudaDeviceProp properties{};
    CHECK(cudaGetDeviceProperties(&properties, 0));
    const int sms = properties.multiProcessorCount;
    int *in, *sums, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMemcpy(in, part.data(), part.size() * sizeof(int), cudaMemcpyHostToDevice));
    for (size_t done = part.size(); done < n; done *= 2)
        CHECK(cudaMemcpy(in + done, in, done * sizeof(int), cudaMemcpyDeviceToDevice));
    const unsigned eights = static_cast<unsigned>(n / (block * 8));
    CHECK(cudaMalloc(&sums, eights * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));

    const auto* in4 = reinterpret_cast<const int4*>(in);
    const unsigned wide = static_cast<unsigned>(std::min<size_t>(4 * sms, n4 / (block * 4)));
    const unsigned copying = static_cast<unsigned>(std::min<size_t>(sms, n4 / tile));
    const bool has_bulk = properties.major >= 9;
    if (has_bulk)
        CHECK(cudaFuncSetAttribute(bulk_copies, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   stages * tile_bytes));

    std::printf("%s: 2^%ld integers\n\n%-20s %8s %10s %9s\n", properties.name, log2n, "step", "grid", "us",
                "GB/s");
    bool all_right = true;
    const auto step = [&](const char* name, unsigned grid, auto launch) {
        CHECK(cudaMemset(out, 0, sizeof(int)));
        const float us = microseconds(launch, repeats);
        int sum = 0;
        CHECK(cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost));
        const bool right = static_cast<unsigned>(sum) == expected;
        all_right = all_right && right;
        std::printf("%-20s %8u %10.2f %9.0f%s\n", name, grid, us, n * 4e-3 / us, right ? "" : "  WRONG");
    };
    step("1 two launches", eights, [&] {
        block_sums<<<eights, block>>>(in, sums, n);
        sum_of_sums<<<1, block>>>(sums, out, static_cast<int>(eights));
    });
    step("2 one launch", eights, [&] { last_block_adds<<<eights, block>>>(in, sums, out, n); });
    step("3 one atomic", eights, [&] { one_atomic<<<eights, block>>>(in, out, n); });
    step("4 64 bytes a thread", wide, [&] { wide_loads<<<wide, block>>>(in4, out, n4); });
    if (has_bulk)
        step("5 bulk copies", copying,
             [&] { bulk_copies<<<copying, block, stages * tile_bytes>>>(in4, out, n4); });
    else
        std::printf("5 bulk copies need compute capability 9.0\n");
    CHECK(cudaFree(in));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(out));
    return lab::verdict("reduce-last-step", all_right);
}
