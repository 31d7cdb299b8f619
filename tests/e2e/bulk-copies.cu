// Bulk copies of bytes that follow each other, in all directions, their reductions and groups; stores and
// reductions that tell a barrier; cuda::memcpy_async in bulk, cuda::ptx.
// RUN: lockstep run --gpu h200 %s
// OUT: ^bulk copies ok$
// RUN: lockstep profile --gpu h200 --metrics lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum %s
// OUT: ^bulk copies ok$
// ALSO: nvcc
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include "support/check.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int count = 1024;

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// From global memory and back, twice with one barrier; the second time the copy is asked for before it is
// expected.
__global__ void there_and_back(const int* in, int* out) {
    __shared__ alignas(128) int data[count];
    __shared__ alignas(8) std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    for (int turn = 0; turn < 2; ++turn) {
        if (threadIdx.x == 0) {
            const unsigned part = 16, bytes = sizeof data;
            if (turn == 0)
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                               bytes);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, data, in + turn * count, part,
                               &barrier);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, data + 4, in + turn * count + 4,
                               bytes - part, &barrier);
            if (turn == 1)
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                               bytes);
        }
        while (!ptx::mbarrier_try_wait_parity(&barrier, turn)) {
        }
        for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] += i;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + turn * count, data, sizeof data);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

template <class T, class Add>
__global__ void reduce(T* to, const T* from, Add add) {
    __shared__ alignas(128) T data[256];
    data[threadIdx.x] = from[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        add(to, data);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
    }
}

struct Add {
    template <class T>
    __device__ void operator()(T* to, const T* from) const {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, to, from,
                                  256 * sizeof(T));
    }
};
struct Max {
    template <class T>
    __device__ void operator()(T* to, const T* from) const {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_max, to, from,
                                  256 * sizeof(T));
    }
};

// Blocks of a cluster: one reads for all; each writes into the next; stores and sums that tell a barrier
// there.
__global__ void __cluster_dims__(4) in_a_cluster(const int* in, int* out) {
    __shared__ alignas(128) int data[256], other[256];
    __shared__ int sums[4];
    __shared__ int words[32 * 4];
    __shared__ alignas(8) std::uint64_t barriers[3];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), next = (rank + 1) % 4;
    if (threadIdx.x == 0) {
        for (auto& barrier : barriers) ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        const unsigned bytes[] = {sizeof data, sizeof other, 32 * 16 + 32 * 4};
        for (int i = 0; i < 3; ++i)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barriers[i],
                                           bytes[i]);
    }
    if (threadIdx.x < 4) sums[threadIdx.x] = 0;
    cluster.sync();
    // To the blocks 0, 1 and 3; block 2 reads for itself.
    if (threadIdx.x == 0 && rank == 1)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
            "[%1], %2, "
            "[%3], %4;" ::"r"(shared_address(data)),
            "l"(in), "r"((unsigned)sizeof data), "r"(shared_address(&barriers[0])), "h"((short)0xb)
            : "memory");
    if (threadIdx.x == 0 && rank == 2)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, data, in + 256, sizeof data, &barriers[0]);
    while (!ptx::mbarrier_try_wait_parity(&barriers[0], 0)) {
    }
    if (threadIdx.x == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(other, next), data,
                           sizeof data, cluster.map_shared_rank(&barriers[1], next));
    std::uint64_t* const there = cluster.map_shared_rank(&barriers[2], next);
    if (threadIdx.x < 32) {
        const int four[4] = {(int)(rank * 1000 + threadIdx.x), 1, 2, 3};
        ptx::st_async(cluster.map_shared_rank(words + 4 * threadIdx.x, next), four, there);
        ptx::red_async(ptx::op_add, cluster.map_shared_rank(&sums[threadIdx.x % 4], next), (int)threadIdx.x,
                       there);
    }
    for (int i = 1; i < 3; ++i)
        while (!ptx::mbarrier_try_wait_parity(&barriers[i], 0)) {
        }
    int* const mine = out + blockIdx.x * 1024;
    mine[threadIdx.x] = data[threadIdx.x];
    mine[256 + threadIdx.x] = other[threadIdx.x];
    if (threadIdx.x < 128) mine[512 + threadIdx.x] = words[threadIdx.x];
    if (threadIdx.x < 4) mine[640 + threadIdx.x] = sums[threadIdx.x];
    cluster.sync();
}

// cuda::memcpy_async with sizes that are known to be aligned, of a group and of a thread, and of a size that
// is not.
__global__ void by_barriers(const int* in, int* out) {
    __shared__ alignas(128) int data[3][256];
    __shared__ Barrier barrier;
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    cuda::memcpy_async(block, data[0], in, cuda::aligned_size_t<16>(sizeof data[0]), barrier);
    if (threadIdx.x == 5)
        cuda::memcpy_async(data[1], in + 256, cuda::aligned_size_t<16>(sizeof data[1]), barrier);
    cuda::memcpy_async(block, data[2], in + 512, sizeof data[2], barrier);
    barrier.arrive_and_wait();
    for (int i = 0; i < 3; ++i) out[i * 256 + threadIdx.x] = data[i][255 - threadIdx.x];
    block.sync();
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(data[0], in + 768, cuda::aligned_size_t<16>(sizeof data[0]), barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof data[0]);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    out[768 + threadIdx.x] = data[0][threadIdx.x];
}

template <class T, class Operation, class Expected>
void check_reduction(Operation operation, Expected expected) {
    std::vector<T> from(256), to(256);
    for (int i = 0; i < 256; ++i) from[i] = (T)(float)(i % 17 - 8), to[i] = (T)(float)(i % 5);
    T *a = to_device(to), *b = to_device(from);
    reduce<<<3, 256>>>(a, b, operation);
    const std::vector<T> got = to_host(a, 256);
    for (int i = 0; i < 256; ++i) EXPECT_AT(i, (float)got[i], (float)expected(to[i], from[i]));
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
}

int main() {
    std::vector<int> numbers(2 * count);
    for (int i = 0; i < 2 * count; ++i) numbers[i] = i * 3;
    int *in = to_device(numbers), *out = device_zeros<int>(8192);
    there_and_back<<<1, 128>>>(in, out);
    std::vector<int> got = to_host(out, 2 * count);
    for (int i = 0; i < 2 * count; ++i) EXPECT_AT(i, got[i], numbers[i] + i % count);

    const auto add_three = [](float to, float from) { return to + 3 * from; };
    const auto larger = [](float to, float from) { return to > from ? to : from; };
    check_reduction<int>(Add(), add_three);
    check_reduction<float>(Add(), add_three);
    check_reduction<double>(Add(), add_three);
    check_reduction<__half>(Add(), add_three);
    check_reduction<__nv_bfloat16>(Add(), add_three);
    check_reduction<int>(Max(), larger);
    check_reduction<std::int64_t>(Max(), larger);

    in_a_cluster<<<8, 256>>>(in, out);
    got = to_host(out, 8192);
    for (int block = 0; block < 8; ++block) {
        const int* const mine = &got[block * 1024];
        const int rank = block % 4, before = (rank + 3) % 4;
        for (int i = 0; i < 256; ++i) {
            EXPECT_AT(i, mine[i], numbers[i + (rank == 2 ? 256 : 0)]);
            EXPECT_AT(i, mine[256 + i], numbers[i + (before == 2 ? 256 : 0)]);
        }
        for (int i = 0; i < 32; ++i) EXPECT_AT(i, mine[512 + 4 * i], before * 1000 + i);
        for (int i = 0; i < 4; ++i) EXPECT_AT(i, mine[640 + i], 8 * i + 112);
    }

    by_barriers<<<1, 256>>>(in, out);
    got = to_host(out, 1024);
    for (int i = 0; i < 256; ++i) {
        for (int part = 0; part < 3; ++part) EXPECT_AT(i, got[part * 256 + i], numbers[part * 256 + 255 - i]);
        EXPECT_AT(i, got[768 + i], numbers[768 + i]);
    }
    return finish("bulk copies");
}
