/* cuda::ptx: copies of bytes that follow each other, stores and reductions that tell a barrier. */
#ifndef LOCKSTEP_PTX_BULK_H
#define LOCKSTEP_PTX_BULK_H
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "lockstep/ptx-words.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace cuda {
namespace ptx {

LOCKSTEP_PTX void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                                const uint32_t& size, uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            lockstep::cluster(to)),
        "l"(lockstep::global(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk(space_shared_t, space_global_t, void* to, const void* from,
                                const uint32_t& size, uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            lockstep::shared(to)),
        "l"(lockstep::global(from)), "r"(size), "r"(lockstep::shared(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                                const uint32_t& size, uint64_t* barrier, const uint16_t& blocks) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "
        "%2, [%3], "
        "%4;" ::"r"(lockstep::shared(to)),
        "l"(lockstep::global(from)), "r"(size), "r"(lockstep::shared(barrier)), "h"(blocks)
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk(space_cluster_t, space_shared_t, void* to, const void* from,
                                const uint32_t& size, uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                                const uint32_t& size) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int N>
LOCKSTEP_PTX void cp_async_bulk_wait_group(n32_t<N>) {
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}
template <int N>
LOCKSTEP_PTX void cp_async_bulk_wait_group_read(n32_t<N>) {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_and_op_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_or_op_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_xor_op_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, int32_t* to,
                                       const int32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_inc_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_dec_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.dec.u32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_min_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.u32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_min_t, int32_t* to,
                                       const int32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_max_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_max_t, int32_t* to,
                                       const int32_t* from, uint32_t size, uint64_t* barrier) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32 [%0], [%1], "
        "%2, [%3];" ::"r"(lockstep::cluster(to)),
        "r"(lockstep::shared(from)), "r"(size), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_and_op_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_and_op_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_or_op_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_or_op_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_xor_op_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_xor_op_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, int32_t* to,
                                       const int32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, float* to, const float* from,
                                       uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, double* to,
                                       const double* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_inc_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_dec_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, int32_t* to,
                                       const int32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, std::int64_t* to,
                                       const std::int64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, uint32_t* to,
                                       const uint32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, int32_t* to,
                                       const int32_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, uint64_t* to,
                                       const uint64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, std::int64_t* to,
                                       const std::int64_t* from, uint32_t size) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64 [%0], [%1], %2;" ::"l"(
                     lockstep::global(to)),
                 "r"(lockstep::shared(from)), "r"(size)
                 : "memory");
}
#define LOCKSTEP_REDUCE_BULK(operation, Type, words)                                            \
    LOCKSTEP_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, operation, Type* to, \
                                           const Type* from, uint32_t size) {                   \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." words                \
                     " [%0], [%1], %2;" ::"l"(lockstep::global(to)),                            \
                     "r"(lockstep::shared(from)), "r"(size)                                     \
                     : "memory");                                                               \
    }
LOCKSTEP_REDUCE_BULK(op_add_t, __half, "add.noftz.f16")
LOCKSTEP_REDUCE_BULK(op_min_t, __half, "min.f16")
LOCKSTEP_REDUCE_BULK(op_max_t, __half, "max.f16")
LOCKSTEP_REDUCE_BULK(op_add_t, __nv_bfloat16, "add.noftz.bf16")
LOCKSTEP_REDUCE_BULK(op_min_t, __nv_bfloat16, "min.bf16")
LOCKSTEP_REDUCE_BULK(op_max_t, __nv_bfloat16, "max.bf16")
#undef LOCKSTEP_REDUCE_BULK

/* Of 4 and 8 bytes. */
template <class T>
LOCKSTEP_PTX auto st_async(T* to, const T& value, uint64_t* barrier) ->
    typename std::enable_if<sizeof(T) == 4, void>::type {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                     lockstep::cluster(to)),
                 "r"(*reinterpret_cast<const uint32_t*>(&value)), "r"(lockstep::cluster(barrier))
                 : "memory");
}
template <class T>
LOCKSTEP_PTX auto st_async(T* to, const T& value, uint64_t* barrier) ->
    typename std::enable_if<sizeof(T) == 8, void>::type {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                     lockstep::cluster(to)),
                 "l"(*reinterpret_cast<const uint64_t*>(&value)), "r"(lockstep::cluster(barrier))
                 : "memory");
}
template <class T>
LOCKSTEP_PTX void st_async(T* to, const T (&value)[4], uint64_t* barrier) {
    static_assert(sizeof(T) == 4, "four values of st.async have 4 bytes each");
    const uint32_t* words = reinterpret_cast<const uint32_t*>(&value);
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::
            "r"(lockstep::cluster(to)),
        "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_and_op_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_or_op_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [%0], %1, [%2];" ::"r"(
            lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_xor_op_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_add_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_add_t, int32_t* to, const int32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_add_t, uint64_t* to, const uint64_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "l"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_inc_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_dec_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec.u32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_min_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_min_t, int32_t* to, const int32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_max_t, uint32_t* to, const uint32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}
LOCKSTEP_PTX void red_async(op_max_t, int32_t* to, const int32_t& value, uint64_t* barrier) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%0], %1, [%2];" ::
            "r"(lockstep::cluster(to)),
        "r"(value), "r"(lockstep::cluster(barrier))
        : "memory");
}

}  // namespace ptx
}  // namespace cuda
#endif

#endif
