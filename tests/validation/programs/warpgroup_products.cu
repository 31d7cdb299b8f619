// Products of matrices by warpgroups (wgmma), as kernels for Hopper write them.
#include "warpgroup.h"

// Rows of 128 bytes; the 16-byte pieces of eight rows are exchanged, as descriptors with swizzle 1 have it.
__device__ __forceinline__ void store_piece(char* tile, int row, int piece, uint4 value) {
    *reinterpret_cast<uint4*>(tile + row * 128 + ((piece ^ row % 8) << 4)) = value;
}

template <int Rows, class T>
__device__ __forceinline__ void fill(char* tile, const T* from, int stride, int threads) {
#pragma unroll
    for (int i = threadIdx.x; i < Rows * 8; i += threads)
        store_piece(tile, i / 8, i % 8,
                    *reinterpret_cast<const uint4*>(reinterpret_cast<const char*>(from + i / 8 * stride) +
                                                    i % 8 * 16));
}

// Where a thread's accumulators stand in a group's 64 rows.
template <class Sum, int Count>
__device__ __forceinline__ void store_group(Sum* C, int N, const Sum (&d)[Count]) {
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < Count; ++i)
        C[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// Blocks of 128 x 128, two groups of 64 rows; 64 elements along k at a time. B is stored by columns.
__global__ void group_tiled(const __half* A, const __half* B, float* C, int N, int K) {
    __shared__ __align__(1024) char a[128 * 128], b[128 * 128];
    const int group = threadIdx.x / 128;
    float d[64] = {};
    for (int k = 0; k < K; k += 64) {
        fill<128>(a, A + blockIdx.y * 128 * K + k, K, 256);
        fill<128>(b, B + blockIdx.x * 128 * K + k, K, 256);
        group_stored();
        group_fence();
#pragma unroll
        for (int s = 0; s < 4; ++s)
            wgmma_f16(d, descriptor(a + group * 64 * 128 + s * 32, 16, 1024, 1),
                      descriptor(b + s * 32, 16, 1024, 1));
        group_commit();
        group_wait();
        __syncthreads();
    }
    store_group(C + (blockIdx.y * 128 + group * 64) * N + blockIdx.x * 128, N, d);
}

// The same with two stages: while one is multiplied, the next is loaded by cp.async.
__global__ void group_stages(const __half* A, const __half* B, float* C, int N, int K) {
    extern __shared__ __align__(1024) char memory[];
    const int group = threadIdx.x / 128;
    float d[64] = {};
    const auto load = [&](int k) {
        if (k < K) {
            char* stage = memory + k / 64 % 2 * 32768;
#pragma unroll
            for (int i = threadIdx.x; i < 128 * 8; i += 256) {
                const int row = i / 8, piece = i % 8, to = row * 128 + ((piece ^ row % 8) << 4);
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(stage + to)),
                             "l"(A + (blockIdx.y * 128 + row) * K + k + piece * 8));
                asm volatile(
                    "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(stage + 16384 + to)),
                    "l"(B + (blockIdx.x * 128 + row) * K + k + piece * 8));
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    load(0);
    for (int k = 0; k < K; k += 64) {
        load(k + 64);
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        group_stored();
        const char* stage = memory + k / 64 % 2 * 32768;
        group_fence();
#pragma unroll
        for (int s = 0; s < 4; ++s)
            wgmma_f16(d, descriptor(stage + group * 64 * 128 + s * 32, 16, 1024, 1),
                      descriptor(stage + 16384 + s * 32, 16, 1024, 1));
        group_commit();
        group_wait();
        __syncthreads();
    }
    store_group(C + (blockIdx.y * 128 + group * 64) * N + blockIdx.x * 128, N, d);
}

// A from global memory straight into registers; blocks of 64 x 128.
__global__ void group_from_registers(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int N, int K) {
    __shared__ __align__(1024) char b[128 * 128];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const __nv_bfloat16* rows = A + (blockIdx.y * 64 + warp * 16 + lane / 4) * K + lane % 4 * 2;
    float d[64] = {};
    for (int k = 0; k < K; k += 64) {
        fill<128>(b, B + blockIdx.x * 128 * K + k, K, 128);
        std::uint32_t a[4][4];
#pragma unroll
        for (int s = 0; s < 4; ++s)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                a[s][r] =
                    *reinterpret_cast<const std::uint32_t*>(rows + r % 2 * 8 * K + k + s * 16 + r / 2 * 8);
        group_stored();
        group_fence();
#pragma unroll
        for (int s = 0; s < 4; ++s) wgmma_bf16(d, a[s], descriptor(b + s * 32, 16, 1024, 1));
        group_commit();
        group_wait();
        __syncthreads();
    }
    store_group(C + blockIdx.y * 64 * N + blockIdx.x * 128, N, d);
}

// Bytes: blocks of 64 x 64, 128 bytes along k at a time.
__global__ void group_bytes(const signed char* A, const signed char* B, int* C, int N, int K) {
    __shared__ __align__(1024) char a[64 * 128], b[64 * 128];
    int d[32] = {};
    for (int k = 0; k < K; k += 128) {
        fill<64>(a, A + blockIdx.y * 64 * K + k, K, 128);
        fill<64>(b, B + blockIdx.x * 64 * K + k, K, 128);
        group_stored();
        group_fence();
#pragma unroll
        for (int s = 0; s < 4; ++s)
            wgmma_s8(d, descriptor(a + s * 32, 16, 1024, 1), descriptor(b + s * 32, 16, 1024, 1));
        group_commit();
        group_wait();
        __syncthreads();
    }
    store_group(C + blockIdx.y * 64 * N + blockIdx.x * 64, N, d);
}

int main() {
    const __half *a = to_device(small_numbers<__half>(256 * 512, 1)),
                 *b = to_device(small_numbers<__half>(256 * 512, 99));
    const __nv_bfloat16 *e = to_device(small_numbers<__nv_bfloat16>(128 * 512, 1)),
                        *f = to_device(small_numbers<__nv_bfloat16>(128 * 512, 99));
    const signed char* g = to_device(small_numbers<signed char>(128 * 1024, 5));
    float* c;
    CHECK(cudaMalloc(&c, 256 * 256 * 4));
    group_tiled<<<dim3(2, 2), 256>>>(a, b, c, 256, 512);
    print_hash("group_tiled", c, 256 * 256);
    CHECK(cudaFuncSetAttribute(group_stages, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    group_stages<<<dim3(2, 2), 256, 65536>>>(a, b, c, 256, 512);
    print_hash("group_stages", c, 256 * 256);
    group_from_registers<<<dim3(1, 2), 128>>>(e, f, c, 128, 512);
    print_hash("group_from_registers", c, 128 * 128);
    group_bytes<<<dim3(2, 2), 128>>>(g, g, reinterpret_cast<int*>(c), 128, 1024);
    print_hash("group_bytes", c, 128 * 128);
}
