/* cuda::ptx: mbarrier, fences, clusters. */
#ifndef LOCKSTEP_PTX_BARRIERS_H
#define LOCKSTEP_PTX_BARRIERS_H
#include "lockstep/ptx-words.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace cuda {
namespace ptx {

LOCKSTEP_PTX void mbarrier_init(uint64_t* barrier, const uint32_t& count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(lockstep::shared(barrier)), "r"(count)
                 : "memory");
}
LOCKSTEP_PTX void mbarrier_inval(uint64_t* barrier) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(lockstep::shared(barrier)) : "memory");
}

LOCKSTEP_PTX uint64_t mbarrier_arrive(uint64_t* barrier) {
    uint64_t state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier))
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive_no_complete(uint64_t* barrier, const uint32_t& count) {
    uint64_t state;
    asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(count)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive(sem_release_t, scope_cta_t, space_shared_t, uint64_t* barrier,
                                      const uint32_t& count = 1) {
    uint64_t state;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(count)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive_expect_tx(sem_release_t, scope_cta_t, space_shared_t, uint64_t* barrier,
                                                const uint32_t& bytes) {
    uint64_t state;
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(bytes)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive(sem_release_t, scope_cluster_t, space_shared_t, uint64_t* barrier,
                                      const uint32_t& count = 1) {
    uint64_t state;
    asm volatile("mbarrier.arrive.release.cluster.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(count)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive_expect_tx(sem_release_t, scope_cluster_t, space_shared_t,
                                                uint64_t* barrier, const uint32_t& bytes) {
    uint64_t state;
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(bytes)
                 : "memory");
    return state;
}
LOCKSTEP_PTX void mbarrier_arrive(sem_release_t, scope_cluster_t, space_cluster_t, uint64_t* barrier,
                                  const uint32_t& count = 1) {
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(lockstep::cluster(barrier)),
        "r"(count)
        : "memory");
}
LOCKSTEP_PTX void mbarrier_arrive_expect_tx(sem_release_t, scope_cluster_t, space_cluster_t,
                                            uint64_t* barrier, const uint32_t& bytes) {
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                     lockstep::cluster(barrier)),
                 "r"(bytes)
                 : "memory");
}
LOCKSTEP_PTX uint64_t mbarrier_arrive(sem_relaxed_t, scope_cta_t, space_shared_t, uint64_t* barrier,
                                      const uint32_t& count = 1) {
    uint64_t state;
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(count)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive_expect_tx(sem_relaxed_t, scope_cta_t, space_shared_t, uint64_t* barrier,
                                                const uint32_t& bytes) {
    uint64_t state;
    asm volatile("mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(bytes)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive(sem_relaxed_t, scope_cluster_t, space_shared_t, uint64_t* barrier,
                                      const uint32_t& count = 1) {
    uint64_t state;
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(count)
                 : "memory");
    return state;
}
LOCKSTEP_PTX uint64_t mbarrier_arrive_expect_tx(sem_relaxed_t, scope_cluster_t, space_shared_t,
                                                uint64_t* barrier, const uint32_t& bytes) {
    uint64_t state;
    asm volatile("mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(lockstep::shared(barrier)), "r"(bytes)
                 : "memory");
    return state;
}
LOCKSTEP_PTX void mbarrier_arrive(sem_relaxed_t, scope_cluster_t, space_cluster_t, uint64_t* barrier,
                                  const uint32_t& count = 1) {
    asm volatile(
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(lockstep::cluster(barrier)),
        "r"(count)
        : "memory");
}
LOCKSTEP_PTX void mbarrier_arrive_expect_tx(sem_relaxed_t, scope_cluster_t, space_cluster_t,
                                            uint64_t* barrier, const uint32_t& bytes) {
    asm volatile("mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                     lockstep::cluster(barrier)),
                 "r"(bytes)
                 : "memory");
}
LOCKSTEP_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_cta_t, space_shared_t, uint64_t* barrier,
                                     uint32_t bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(lockstep::shared(barrier)),
                 "r"(bytes)
                 : "memory");
}
LOCKSTEP_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_cluster_t, space_shared_t, uint64_t* barrier,
                                     uint32_t bytes) {
    asm volatile(
        "mbarrier.expect_tx.relaxed.cluster.shared::cta.b64 [%0], %1;" ::"r"(lockstep::shared(barrier)),
        "r"(bytes)
        : "memory");
}
LOCKSTEP_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_cluster_t, space_cluster_t, uint64_t* barrier,
                                     uint32_t bytes) {
    asm volatile(
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(lockstep::cluster(barrier)),
        "r"(bytes)
        : "memory");
}

/* Whether the phase of a state, or of a parity, is over. try_wait may take its time before it says no. */
LOCKSTEP_PTX bool mbarrier_test_wait(uint64_t* barrier, const uint64_t& state) {
    uint32_t over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(lockstep::shared(barrier)), "l"(state)
                 : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_test_wait(sem_acquire_t, scope_cta_t, uint64_t* barrier, const uint64_t& state) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "l"(state)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_test_wait(sem_acquire_t, scope_cluster_t, uint64_t* barrier,
                                     const uint64_t& state) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, "
        "p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "l"(state)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_test_wait_parity(uint64_t* barrier, const uint32_t& parity) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_test_wait_parity(sem_acquire_t, scope_cta_t, uint64_t* barrier,
                                            const uint32_t& parity) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, "
        "0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_test_wait_parity(sem_acquire_t, scope_cluster_t, uint64_t* barrier,
                                            const uint32_t& parity) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, "
        "1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait(uint64_t* barrier, const uint64_t& state) {
    uint32_t over;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(lockstep::shared(barrier)), "l"(state)
                 : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait(uint64_t* barrier, const uint64_t& state, const uint32_t& nanoseconds) {
    uint32_t over;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2, %3; selp.b32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(lockstep::shared(barrier)), "l"(state), "r"(nanoseconds)
                 : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait(sem_acquire_t, scope_cta_t, uint64_t* barrier, const uint64_t& state) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "l"(state)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait(sem_acquire_t, scope_cta_t, uint64_t* barrier, const uint64_t& state,
                                    const uint32_t& nanoseconds) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2, %3; selp.b32 %0, 1, 0, "
        "p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "l"(state), "r"(nanoseconds)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait(sem_acquire_t, scope_cluster_t, uint64_t* barrier,
                                    const uint64_t& state) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, "
        "p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "l"(state)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait(sem_acquire_t, scope_cluster_t, uint64_t* barrier, const uint64_t& state,
                                    const uint32_t& nanoseconds) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.acquire.cluster.shared::cta.b64 p, [%1], %2, %3; selp.b32 %0, 1, "
        "0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "l"(state), "r"(nanoseconds)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait_parity(uint64_t* barrier, const uint32_t& parity) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait_parity(uint64_t* barrier, const uint32_t& parity,
                                           const uint32_t& nanoseconds) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity), "r"(nanoseconds)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait_parity(sem_acquire_t, scope_cta_t, uint64_t* barrier,
                                           const uint32_t& parity) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, "
        "0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait_parity(sem_acquire_t, scope_cta_t, uint64_t* barrier,
                                           const uint32_t& parity, const uint32_t& nanoseconds) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2, %3; selp.b32 %0, "
        "1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity), "r"(nanoseconds)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait_parity(sem_acquire_t, scope_cluster_t, uint64_t* barrier,
                                           const uint32_t& parity) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, "
        "1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX bool mbarrier_try_wait_parity(sem_acquire_t, scope_cluster_t, uint64_t* barrier,
                                           const uint32_t& parity, const uint32_t& nanoseconds) {
    uint32_t over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2, %3; selp.b32 "
        "%0, 1, 0, p; }"
        : "=r"(over)
        : "r"(lockstep::shared(barrier)), "r"(parity), "r"(nanoseconds)
        : "memory");
    return over != 0;
}
LOCKSTEP_PTX void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
LOCKSTEP_PTX void fence_proxy_async(space_global_t) {
    asm volatile("fence.proxy.async.global;" ::: "memory");
}
LOCKSTEP_PTX void fence_proxy_async(space_shared_t) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
LOCKSTEP_PTX void fence_proxy_async(space_cluster_t) {
    asm volatile("fence.proxy.async.shared::cluster;" ::: "memory");
}
LOCKSTEP_PTX void fence_proxy_alias() { asm volatile("fence.proxy.alias;" ::: "memory"); }
LOCKSTEP_PTX void fence_mbarrier_init(sem_release_t, scope_cluster_t) {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_release_t, scope_cta_t) {
    asm volatile("fence.proxy.tensormap::generic.release.cta;" ::: "memory");
}
template <int Bytes>
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_acquire_t, scope_cta_t, const void* map, n32_t<Bytes>) {
    asm volatile("fence.proxy.tensormap::generic.acquire.cta [%0], %1;" ::"l"(map), "n"(Bytes) : "memory");
}
LOCKSTEP_PTX void fence(sem_sc_t, scope_cta_t) { asm volatile("fence.sc.cta;" ::: "memory"); }
LOCKSTEP_PTX void fence(sem_acq_rel_t, scope_cta_t) { asm volatile("fence.acq_rel.cta;" ::: "memory"); }
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_release_t, scope_cluster_t) {
    asm volatile("fence.proxy.tensormap::generic.release.cluster;" ::: "memory");
}
template <int Bytes>
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_acquire_t, scope_cluster_t, const void* map,
                                                n32_t<Bytes>) {
    asm volatile("fence.proxy.tensormap::generic.acquire.cluster [%0], %1;" ::"l"(map), "n"(Bytes)
                 : "memory");
}
LOCKSTEP_PTX void fence(sem_sc_t, scope_cluster_t) { asm volatile("fence.sc.cluster;" ::: "memory"); }
LOCKSTEP_PTX void fence(sem_acq_rel_t, scope_cluster_t) {
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
}
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_release_t, scope_gpu_t) {
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}
template <int Bytes>
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_acquire_t, scope_gpu_t, const void* map, n32_t<Bytes>) {
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], %1;" ::"l"(map), "n"(Bytes) : "memory");
}
LOCKSTEP_PTX void fence(sem_sc_t, scope_gpu_t) { asm volatile("fence.sc.gpu;" ::: "memory"); }
LOCKSTEP_PTX void fence(sem_acq_rel_t, scope_gpu_t) { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_release_t, scope_sys_t) {
    asm volatile("fence.proxy.tensormap::generic.release.sys;" ::: "memory");
}
template <int Bytes>
LOCKSTEP_PTX void fence_proxy_tensormap_generic(sem_acquire_t, scope_sys_t, const void* map, n32_t<Bytes>) {
    asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], %1;" ::"l"(map), "n"(Bytes) : "memory");
}
LOCKSTEP_PTX void fence(sem_sc_t, scope_sys_t) { asm volatile("fence.sc.sys;" ::: "memory"); }
LOCKSTEP_PTX void fence(sem_acq_rel_t, scope_sys_t) { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

LOCKSTEP_PTX void barrier_cluster_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
LOCKSTEP_PTX void barrier_cluster_arrive(sem_release_t) {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
LOCKSTEP_PTX void barrier_cluster_arrive(sem_relaxed_t) { asm volatile("barrier.cluster.arrive.relaxed;"); }
LOCKSTEP_PTX void barrier_cluster_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
LOCKSTEP_PTX void barrier_cluster_wait(sem_acquire_t) {
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

template <class T>
LOCKSTEP_PTX T* mapa(space_cluster_t, const T* address, uint32_t block) {
    T* there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(block));
    return there;
}
LOCKSTEP_PTX uint32_t getctarank(space_cluster_t, const void* address) {
    uint32_t rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    return rank;
}
LOCKSTEP_PTX bool elect_sync(const uint32_t& mask) {
    uint32_t elected;
    asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.b32 %0, 1, 0, p; }" : "=r"(elected) : "r"(mask));
    return elected != 0;
}

}  // namespace ptx
}  // namespace cuda
#endif

#endif
