// Bulk and tensor copies with the functions of cuda::device::experimental, as CUDA 12's Programming Guide has
// them.
// RUN: lockstep run --gpu h200 %s
// OUT: ^bulk: 0 wrong$
// OUT: ^tensor: 0 wrong$
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int count = 1024, width = 96, height = 40, box_width = 32, box_height = 8;

__global__ void bulk(int* data) {
    __shared__ alignas(16) int part[count];
    __shared__ barrier filled;
    int* const mine = data + blockIdx.x * count;
    if (threadIdx.x == 0) {
        init(&filled, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(part, mine, sizeof part, filled);
        token = cuda::device::barrier_arrive_tx(filled, 1, sizeof part);
    } else {
        token = filled.arrive();
    }
    filled.wait(std::move(token));
    for (int i = threadIdx.x; i < count; i += blockDim.x) part[i] += 7;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(mine, part, sizeof part);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

__global__ void tile(const __grid_constant__ CUtensorMap map, int x, int y) {
    __shared__ alignas(128) int box[box_height][box_width];
    __shared__ barrier filled;
    if (threadIdx.x == 0) {
        init(&filled, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(&box, &map, x, y, filled);
        token = cuda::device::barrier_arrive_tx(filled, 1, sizeof box);
    } else {
        token = filled.arrive();
    }
    filled.wait(std::move(token));
    box[threadIdx.y][threadIdx.x] *= 3;
    for (int i = threadIdx.x + box_width; i < box_width * box_height; i += blockDim.x)
        box[i / box_width][i % box_width] *= 3;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &box);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

int main() {
    int* data;
    cudaMallocManaged(&data, 4 * count * sizeof(int));
    for (int i = 0; i < 4 * count; ++i) data[i] = i;
    bulk<<<4, 128>>>(data);
    if (const cudaError_t error = cudaDeviceSynchronize()) return std::puts(cudaGetErrorString(error)), 1;
    int wrong = 0;
    for (int i = 0; i < 4 * count; ++i) wrong += data[i] != i + 7;
    std::printf("bulk: %d wrong\n", wrong);

    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
    const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
    for (int i = 0; i < width * height; ++i) data[i] = i;
    CUtensorMap map{};
    const std::uint64_t size[] = {width, height}, pitch[] = {width * sizeof(int)};
    const std::uint32_t box[] = {box_width, box_height}, step[] = {1, 1};
    if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, size, pitch, box, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return std::puts("no tensor map"), 1;
    tile<<<1, box_width>>>(map, 16, 36);  // half of it below the last row
    if (const cudaError_t error = cudaDeviceSynchronize()) return std::puts(cudaGetErrorString(error)), 1;
    wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            wrong += data[i] != (y >= 36 && x >= 16 && x < 16 + box_width ? 3 * i : i);
        }
    std::printf("tensor: %d wrong\n", wrong);
}
