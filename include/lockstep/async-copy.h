/* Copies from global to shared memory that go on while the thread does other things (cp.async), and plain
 * ones where there is no such thing. */
#ifndef LOCKSTEP_ASYNC_COPY_H
#define LOCKSTEP_ASYNC_COPY_H
#include "cuda/std/cstddef"
#include "cuda/std/cstdint"

namespace cuda {

enum class async_contract_fulfillment { none, async };

/* A size that both addresses and the size itself are multiples of. */
template <std::size_t Alignment>
struct aligned_size_t {
    static constexpr std::size_t align = Alignment;
    std::size_t value;
    LOCKSTEP_STD_CX explicit aligned_size_t(std::size_t size) : value(size) {}
    LOCKSTEP_STD_CX operator std::size_t() const { return value; }
};

namespace lockstep {

LOCKSTEP_STD __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/* A copy that the barrier at this shared address is told of; the barrier has to expect the bytes. */
__device__ __forceinline__ void bulk_copy(void* to, const void* from, std::size_t bytes, unsigned barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"((unsigned)bytes), "r"(barrier)
                 : "memory");
}
#endif

template <class Unit>
LOCKSTEP_STD __forceinline__ void copy_plain(void* to, const void* from, std::size_t bytes, std::size_t rank,
                                             std::size_t ranks) {
    for (std::size_t i = rank; i < bytes / sizeof(Unit); i += ranks)
        static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
}

/* This thread's part, `rank` of `ranks`. True: it goes on. */
LOCKSTEP_STD inline bool copy(void* to, const void* from, std::size_t bytes, std::size_t rank,
                              std::size_t ranks) {
    const std::uintptr_t all =
        reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (__isShared(to) && __isGlobal(from) && all % 4 == 0) {
        const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
        const std::size_t global = __cvta_generic_to_global(from);
        if (all % 16 == 0)
            for (std::size_t i = rank * 16; i < bytes; i += ranks * 16)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared + (unsigned)i),
                             "l"(global + i)
                             : "memory");
        else if (all % 8 == 0)
            for (std::size_t i = rank * 8; i < bytes; i += ranks * 8)
                asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared + (unsigned)i),
                             "l"(global + i)
                             : "memory");
        else
            for (std::size_t i = rank * 4; i < bytes; i += ranks * 4)
                asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared + (unsigned)i),
                             "l"(global + i)
                             : "memory");
        return true;
    }
#endif
    if (all % 8 == 0)
        copy_plain<unsigned long long>(to, from, bytes, rank, ranks);
    else if (all % 4 == 0)
        copy_plain<unsigned int>(to, from, bytes, rank, ranks);
    else
        copy_plain<unsigned char>(to, from, bytes, rank, ranks);
    return false;
}

}  // namespace lockstep
}  // namespace cuda

#endif
