// What does the copy engine of Hopper do? A matrix is read, scaled and written: by threads, by bulk copies of
// bytes that follow each other, and by copies of two-dimensional tiles, with two tiles under way.
//
//     tensor-copy [WIDTH]
#include <cuda.h>

#include <cuda/barrier>
#include <vector>

#include "lab.h"

constexpr int tile = 32;                         // wide and high
constexpr int elements = tile * tile;            // of a stage
constexpr int bytes = elements * sizeof(float);  // of a stage
constexpr int stages = 2;

// Barriers have no initialisers in shared memory: init does that.
#pragma nv_diag_suppress static_var_with_dynamic_init

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__global__ void by_threads(const float* in, float* out, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = 2 * in[i];
}

// What engines have yet to do: a stage's data, and which of its barrier's phases they belong to.
struct Stages {
    alignas(128) float data[stages][elements];
    Barrier full[stages];
};

__device__ void begin(Stages& shared) {
    if (threadIdx.x == 0) {
        for (Barrier& barrier : shared.full) init(&barrier, blockDim.x);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
}

// All threads wait for a stage, double its elements, and let the engine see that.
__device__ void work_on(float* data, Barrier& full, Barrier::arrival_token&& token) {
    full.wait(std::move(token));
    for (int i = threadIdx.x; i < elements; i += blockDim.x) data[i] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

// The store that read a stage last has to have read it before the stage is filled again.
__device__ void finish_store(bool all) {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (all)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    else
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// Each block has every gridDim.x-th tile. `fill(stage, tile)` starts the copy of one, `store` the way back.
template <class Fill, class Store>
__device__ void pipeline(int tiles, Fill fill, Store store) {
    __shared__ Stages shared;
    begin(shared);
    Barrier::arrival_token tokens[stages];
    auto ask = [&](int stage, int number) {
        if (threadIdx.x == 0) fill(shared, stage, number);
        tokens[stage] = threadIdx.x == 0 ? cuda::device::barrier_arrive_tx(shared.full[stage], 1, bytes)
                                         : shared.full[stage].arrive();
    };
    for (int s = 0; s < stages; ++s) {
        const int number = blockIdx.x + s * gridDim.x;
        if (number < tiles) ask(s, number);
    }
    int stage = 0;
    for (int number = blockIdx.x; number < tiles; number += gridDim.x) {
        work_on(shared.data[stage], shared.full[stage], std::move(tokens[stage]));
        const int next = number + stages * gridDim.x;
        if (threadIdx.x == 0) {
            store(shared, stage, number);
            finish_store(next >= tiles);
        }
        if (next < tiles) ask(stage, next);
        stage = (stage + 1) % stages;
    }
}

__global__ void by_bulk_copies(const float* in, float* out, int tiles) {
    pipeline(
        tiles,
        [&](Stages& shared, int stage, int number) {
            cuda::device::memcpy_async_tx(shared.data[stage], in + static_cast<size_t>(number) * elements,
                                          cuda::aligned_size_t<16>(bytes), shared.full[stage]);
        },
        [&](Stages& shared, int stage, int number) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                             out + static_cast<size_t>(number) * elements),
                         "r"(shared_address(shared.data[stage])), "r"(bytes)
                         : "memory");
        });
}

__global__ void by_tensor_copies(const __grid_constant__ CUtensorMap in,
                                 const __grid_constant__ CUtensorMap out, int across, int tiles) {
    pipeline(
        tiles,
        [&](Stages& shared, int stage, int number) {
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%2, %3}], [%4];" ::"r"(shared_address(shared.data[stage])),
                "l"(&in), "r"(number % across * tile), "r"(number / across * tile),
                "r"(shared_address(cuda::device::barrier_native_handle(shared.full[stage])))
                : "memory");
        },
        [&](Stages& shared, int stage, int number) {
            asm volatile(
                "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                    &out),
                "r"(number % across * tile), "r"(number / across * tile),
                "r"(shared_address(shared.data[stage]))
                : "memory");
        });
}

// The driver's function, without linking to the driver.
CUtensorMap tensor_map(float* memory, int width) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult status;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                           &status));
    CUtensorMap map;
    const cuuint64_t size[2] = {static_cast<cuuint64_t>(width), static_cast<cuuint64_t>(width)};
    const cuuint64_t stride[1] = {width * sizeof(float)};
    const cuuint32_t box[2] = {tile, tile}, steps[2] = {1, 1};
    const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, memory, size, stride, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", static_cast<int>(result));
        std::exit(1);
    }
    return map;
}

int main(int argc, char** argv) {
    const int width = static_cast<int>(lab::argument(argc, argv, 1, 1024, tile, 16384, "WIDTH"));
    if (width % tile) {
        std::fprintf(stderr, "%s: WIDTH must be a multiple of %d\n", argv[0], tile);
        return 2;
    }
    const size_t count = static_cast<size_t>(width) * width;
    std::vector<float> host(count), result(count);
    for (size_t i = 0; i < count; ++i)
        host[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xffff);
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&in, count * sizeof(float)));
    CHECK(cudaMalloc(&out, count * sizeof(float)));
    CHECK(cudaMemcpy(in, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    const CUtensorMap from = tensor_map(in, width), to = tensor_map(out, width);
    const int tiles = static_cast<int>(count / elements);
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));

    std::printf("%s: %d x %d\n\n%-16s %10s %10s  %s\n", lab::device_name().c_str(), width, width, "kernel",
                "ms", "GB/s", "values");
    bool all_right = true;
    auto row = [&](const char* name, auto launch) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(cudaMemset(out, 0xff, count * sizeof(float)));
            ms = lab::time_ms(launch);
        }
        CHECK(cudaMemcpy(result.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
        bool right = true;
        for (size_t i = 0; i < count; ++i) right &= result[i] == 2 * host[i];
        all_right &= right;
        std::printf("%-16s %10.3f %10.1f  %s\n", name, ms, 2.0 * count * sizeof(float) / ms * 1e-6,
                    right ? "right" : "WRONG");
    };
    row("threads", [&] { by_threads<<<4 * sms, 256>>>(in, out, static_cast<int>(count)); });
    row("bulk copies", [&] { by_bulk_copies<<<4 * sms, 128>>>(in, out, tiles); });
    row("tensor copies", [&] { by_tensor_copies<<<4 * sms, 128>>>(from, to, width / tile, tiles); });
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return lab::verdict("tensor-copy", all_right);
}
