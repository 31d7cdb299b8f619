/* cuda::device::experimental: bulk and tensor copies as CUDA 12's Programming Guide writes them, which
 * <cuda/barrier> brings. CUDA 13 has cuda::ptx instead, over which these are. */
#ifndef LOCKSTEP_BULK_EXPERIMENTAL_H
#define LOCKSTEP_BULK_EXPERIMENTAL_H
#include "lockstep/ptx-barriers.h"
#include "lockstep/ptx-bulk.h"
#include "lockstep/ptx-tensor.h"

struct CUtensorMap_st;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace cuda {
namespace device {
namespace experimental {

using block_barrier = barrier<thread_scope_block>;

static __device__ __forceinline__ void cp_async_bulk_global_to_shared(void* to, const void* from,
                                                                      std::uint32_t size, block_barrier& b) {
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, to, from, size, barrier_native_handle(b));
}
static __device__ __forceinline__ void cp_async_bulk_shared_to_global(void* to, const void* from,
                                                                      std::uint32_t size) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, size);
}

/* The coordinates of a tensor of each rank, as parameters and as values. */
#define LOCKSTEP_TENSOR_COPIES(rank, parameters, values)                                    \
    static __device__ __forceinline__ void cp_async_bulk_tensor_##rank##d_global_to_shared( \
        void* to, const CUtensorMap_st* map, LOCKSTEP_ALL parameters, block_barrier& b) {   \
        const std::int32_t at[] = {LOCKSTEP_ALL values};                                    \
        ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, to, map, at,        \
                                  barrier_native_handle(b));                                \
    }                                                                                       \
    static __device__ __forceinline__ void cp_async_bulk_tensor_##rank##d_shared_to_global( \
        const CUtensorMap_st* map, LOCKSTEP_ALL parameters, const void* from) {             \
        const std::int32_t at[] = {LOCKSTEP_ALL values};                                    \
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, at, from);     \
    }
#define LOCKSTEP_ALL(...) __VA_ARGS__
LOCKSTEP_TENSOR_COPIES(1, (int x), (x))
LOCKSTEP_TENSOR_COPIES(2, (int x, int y), (x, y))
LOCKSTEP_TENSOR_COPIES(3, (int x, int y, int z), (x, y, z))
LOCKSTEP_TENSOR_COPIES(4, (int x, int y, int z, int u), (x, y, z, u))
LOCKSTEP_TENSOR_COPIES(5, (int x, int y, int z, int u, int v), (x, y, z, u, v))
#undef LOCKSTEP_ALL
#undef LOCKSTEP_TENSOR_COPIES

static __device__ __forceinline__ void fence_proxy_async_shared_cta() {
    ptx::fence_proxy_async(ptx::space_shared);
}
static __device__ __forceinline__ void cp_async_bulk_commit_group() { ptx::cp_async_bulk_commit_group(); }
template <int N>
static __device__ __forceinline__ void cp_async_bulk_wait_group_read() {
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<N>());
}

}  // namespace experimental
}  // namespace device
}  // namespace cuda
#endif

#endif
