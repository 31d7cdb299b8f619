/* cuda::ptx: copies of boxes of tensors. */
#ifndef LOCKSTEP_PTX_TENSOR_H
#define LOCKSTEP_PTX_TENSOR_H
#include "lockstep/ptx-words.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace cuda {
namespace ptx {
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[1], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], "
        "[%2];" ::"r"(lockstep::cluster(to)),
        "l"(map), "r"(lockstep::cluster(barrier)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_shared_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[1], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], "
        "[%2];" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[1], uint64_t* barrier, const uint16_t& blocks) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%4}], [%2], %3;" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "h"(blocks), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                       const int32_t (&at)[1], const void* from) {
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
                 "r"(lockstep::shared(from)), "r"(at[0])
                 : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_prefetch_tensor(space_global_t, const void* map, const int32_t (&at)[1]) {
    asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%0, {%1}];" ::"l"(map), "r"(at[0])
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_add_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_min_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_max_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.max.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_inc_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.inc.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_dec_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.dec.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_and_op_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.and.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_or_op_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.or.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_xor_op_t, const void* map,
                                              const int32_t (&at)[1], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.xor.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[2], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4}], [%2];" ::"r"(lockstep::cluster(to)),
        "l"(map), "r"(lockstep::cluster(barrier)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_shared_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[2], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4}], [%2];" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[2], uint64_t* barrier, const uint16_t& blocks) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%4, %5}], [%2], %3;" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "h"(blocks), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                       const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_prefetch_tensor(space_global_t, const void* map, const int32_t (&at)[2]) {
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(map), "r"(at[0]),
                 "r"(at[1])
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_add_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_min_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_max_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_inc_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_dec_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.dec.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_and_op_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.and.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_or_op_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.or.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_xor_op_t, const void* map,
                                              const int32_t (&at)[2], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[3], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5}], [%2];" ::"r"(lockstep::cluster(to)),
        "l"(map), "r"(lockstep::cluster(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_shared_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[3], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5}], [%2];" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[3], uint64_t* barrier, const uint16_t& blocks) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%4, %5, %6}], [%2], %3;" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "h"(blocks), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                       const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_prefetch_tensor(space_global_t, const void* map, const int32_t (&at)[3]) {
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%0, {%1, %2, %3}];" ::"l"(map), "r"(at[0]),
                 "r"(at[1]), "r"(at[2])
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_add_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_min_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_max_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_inc_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.inc.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_dec_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.dec.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_and_op_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.and.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_or_op_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_xor_op_t, const void* map,
                                              const int32_t (&at)[3], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.3d.global.shared::cta.xor.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::
            "l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[4], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5, %6}], [%2];" ::"r"(lockstep::cluster(to)),
        "l"(map), "r"(lockstep::cluster(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_shared_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[4], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5, %6}], [%2];" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[4], uint64_t* barrier, const uint16_t& blocks) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%4, %5, %6, %7}], [%2], %3;" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "h"(blocks), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                       const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_prefetch_tensor(space_global_t, const void* map, const int32_t (&at)[4]) {
    asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.tile [%0, {%1, %2, %3, %4}];" ::"l"(map),
                 "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_add_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_min_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_max_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_inc_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.inc.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_dec_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.dec.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_and_op_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.and.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_or_op_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.or.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_xor_op_t, const void* map,
                                              const int32_t (&at)[4], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.xor.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[5], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5, %6, %7}], [%2];" ::"r"(lockstep::cluster(to)),
        "l"(map), "r"(lockstep::cluster(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_shared_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[5], uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5, %6, %7}], [%2];" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                       const int32_t (&at)[5], uint64_t* barrier, const uint16_t& blocks) {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" ::"r"(lockstep::shared(to)),
        "l"(map), "r"(lockstep::shared(barrier)), "h"(blocks), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]),
        "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                       const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(
            map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_async_bulk_prefetch_tensor(space_global_t, const void* map, const int32_t (&at)[5]) {
    asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global.tile [%0, {%1, %2, %3, %4, %5}];" ::"l"(map),
                 "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
                 : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_add_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_min_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_max_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_inc_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.inc.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_dec_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.dec.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_and_op_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.and.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_or_op_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.or.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}
LOCKSTEP_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_xor_op_t, const void* map,
                                              const int32_t (&at)[5], const void* from) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.5d.global.shared::cta.xor.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
        "[%1];" ::"l"(map),
        "r"(lockstep::shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
        : "memory");
}

}  // namespace ptx
}  // namespace cuda
#endif

#endif
