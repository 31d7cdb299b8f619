// How does Hopper multiply matrices? A product of f16 matrices with sums in f32: thread by thread, and by
// wgmma, whose four warps multiply tiles that the copy engine (TMA) brings to shared memory while they work
// on the tiles before. Needs sm_90a.
//
//     warpgroup-gemm [WIDTH]
#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <vector>

#include "lab.h"

constexpr int tile = 64;   // of c, that a block's warpgroup computes; and of a step along k
constexpr int stages = 2;  // of tiles: one is worked on, one is under way
constexpr int tile_bytes = tile * tile * sizeof(half);

// a has rows, b has columns that stand side by side in memory.
__global__ void by_threads(const half* a, const half* b, float* c, int width) {
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k)
        sum += __half2float(a[row * width + k]) * __half2float(b[col * width + k]);
    c[row * width + col] = sum;
}

__device__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// A tile's rows are 128 bytes, whose pieces of 16 bytes the engine exchanges so that eight rows meet in no
// bank; eight rows take 1024 bytes. The product reads it the same way.
__device__ uint64_t descriptor(const half* data) {
    const uint64_t swizzle_of_128 = 1, eight_rows = 1024;
    return (shared_address(data) & 0x3ffff) >> 4 | uint64_t{1} << 16 | (eight_rows >> 4) << 32 |
           swizzle_of_128 << 62;
}

__device__ void wait_for(uint64_t& barrier, int phase) {
    asm volatile(
        "{\n .reg .pred done;\n"
        "again:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        " @!done bra again;\n}" ::"r"(shared_address(&barrier)),
        "r"(phase)
        : "memory");
}

__device__ void copy_tile(half* to, const CUtensorMap& map, int column, int row, uint64_t& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(&map), "r"(column), "r"(row), "r"(shared_address(&barrier))
        : "memory");
}

// 64 by 64 sums, of which each of the warpgroup's 128 threads holds 32, and 16 products for each.
__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),
          "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
          "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]),
          "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(128)
    by_warpgroups(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c,
                  int width) {
    __shared__ alignas(1024) half left[stages][tile * tile], right[stages][tile * tile];
    __shared__ uint64_t full[stages];
    const auto fill = [&](int number) {
        const int stage = number % stages;
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full[stage])),
            "r"(2 * tile_bytes)
            : "memory");
        copy_tile(left[stage], a, number * tile, blockIdx.y * tile, full[stage]);
        copy_tile(right[stage], b, number * tile, blockIdx.x * tile, full[stage]);
    };
    const int steps = width / tile;
    if (threadIdx.x == 0) {
        for (uint64_t& barrier : full)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int number = 0; number < stages && number < steps; ++number) fill(number);
    }
    __syncthreads();

    float sums[32] = {};
    for (int number = 0; number < steps; ++number) {
        const int stage = number % stages;
        wait_for(full[stage], number / stages % 2);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < tile; k += 16)
            multiply(sums, descriptor(left[stage] + k), descriptor(right[stage] + k));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();  // all four warps have read the stage
        if (threadIdx.x == 0 && number + stages < steps) fill(number + stages);
    }
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = blockIdx.y * tile + warp * 16 + lane / 4, col = blockIdx.x * tile + lane % 4 * 2;
    for (int i = 0; i < 32; ++i) c[(row + i / 2 % 2 * 8) * width + col + i / 4 * 8 + i % 2] = sums[i];
}

// The driver's function, without linking to the driver.
CUtensorMap tensor_map(half* memory, int width) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult status;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                           &status));
    CUtensorMap map;
    const cuuint64_t size[2] = {static_cast<cuuint64_t>(width), static_cast<cuuint64_t>(width)};
    const cuuint64_t stride[1] = {width * sizeof(half)};
    const cuuint32_t box[2] = {tile, tile}, steps[2] = {1, 1};
    const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, memory, size, stride, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", static_cast<int>(result));
        std::exit(1);
    }
    return map;
}

int main(int argc, char** argv) {
    const int width = static_cast<int>(lab::argument(argc, argv, 1, 256, tile, 8192, "WIDTH"));
    if (width % tile) {
        std::fprintf(stderr, "%s: WIDTH must be a multiple of %d\n", argv[0], tile);
        return 2;
    }
    const size_t count = static_cast<size_t>(width) * width;
    // Small whole numbers: every sum is exact in whatever order, so results must be equal, not close.
    std::vector<half> left(count), right(count);
    std::vector<float> x(count), y(count), expected(count), result(count);
    for (size_t i = 0; i < count; ++i) {
        left[i] = __float2half(x[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 7) - 3);
        right[i] = __float2half(y[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i) + 77) & 7) - 3);
    }
    for (int row = 0; row < width; ++row)
        for (int col = 0; col < width; ++col) {
            float sum = 0;
            for (int k = 0; k < width; ++k)
                sum += x[static_cast<size_t>(row) * width + k] * y[static_cast<size_t>(col) * width + k];
            expected[static_cast<size_t>(row) * width + col] = sum;
        }

    half *a = nullptr, *b = nullptr;
    float* c = nullptr;
    CHECK(cudaMalloc(&a, count * sizeof(half)));
    CHECK(cudaMalloc(&b, count * sizeof(half)));
    CHECK(cudaMalloc(&c, count * sizeof(float)));
    CHECK(cudaMemcpy(a, left.data(), count * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, right.data(), count * sizeof(half), cudaMemcpyHostToDevice));
    const CUtensorMap map_a = tensor_map(a, width), map_b = tensor_map(b, width);

    std::printf("%s: %d x %d\n\n%-12s %10s %10s  %s\n", lab::device_name().c_str(), width, width, "kernel",
                "ms", "GFLOP/s", "values");
    bool all_right = true;
    auto row = [&](const char* name, auto launch) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(cudaMemset(c, 0xFF, count * sizeof(float)));
            ms = lab::time_ms(launch);
        }
        CHECK(cudaMemcpy(result.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost));
        const bool right = result == expected;
        all_right &= right;
        std::printf("%-12s %10.3f %10.3f  %s\n", name, ms, 2.0 * count * width / ms * 1e-6,
                    right ? "right" : "WRONG");
    };
    row("threads", [&] { by_threads<<<dim3(width / 16, width / 16), dim3(16, 16)>>>(a, b, c, width); });
    row("TMA, wgmma",
        [&] { by_warpgroups<<<dim3(width / tile, width / tile), 128>>>(map_a, map_b, c, width); });
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return lab::verdict("warpgroup-gemm", all_right);
}
