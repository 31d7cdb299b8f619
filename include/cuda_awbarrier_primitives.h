/* Barriers in shared memory at which threads arrive and wait apart: mbarrier.*. GPUs of 7.x have no such
 * instructions: there they are made of compare-and-swap. */
#ifndef LOCKSTEP_CUDA_AWBARRIER_PRIMITIVES_H
#define LOCKSTEP_CUDA_AWBARRIER_PRIMITIVES_H
#define _CUDA_AWBARRIER_PRIMITIVES_H_
#include "cuda_runtime.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error barriers in shared memory (cuda_awbarrier.h) need a GPU of compute capability 7.0 or newer
#elif defined(__CUDA__) && defined(__cplusplus)
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define LOCKSTEP_MBARRIER static __device__ __forceinline__
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

static __host__ __device__ __forceinline__ uint32_t __mbarrier_maximum_count() { return (1u << 14) - 1; }

#if LOCKSTEP_ARCH >= 800

LOCKSTEP_MBARRIER uint32_t __lockstep_mbarrier_address(__mbarrier_t* barrier) {
    return (uint32_t)__cvta_generic_to_shared(barrier);
}
LOCKSTEP_MBARRIER void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__lockstep_mbarrier_address(barrier)),
                 "r"(expected_count)
                 : "memory");
}
LOCKSTEP_MBARRIER void __mbarrier_inval(__mbarrier_t* barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__lockstep_mbarrier_address(barrier)) : "memory");
}
LOCKSTEP_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(__lockstep_mbarrier_address(barrier))
                 : "memory");
    return token;
}
LOCKSTEP_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(__lockstep_mbarrier_address(barrier))
                 : "memory");
    return token;
}
LOCKSTEP_MBARRIER bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    uint32_t complete;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(complete)
                 : "r"(__lockstep_mbarrier_address(barrier)), "l"(token)
                 : "memory");
    return complete != 0;
}
LOCKSTEP_MBARRIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    uint32_t count;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}

#else

/* Bits 0 to 19 are those that are expected in every phase, 20 to 39 those that this one still waits for, 63
 * is the phase. */
LOCKSTEP_MBARRIER uint64_t __lockstep_mbarrier_arrive(__mbarrier_t* barrier, uint64_t drop) {
    __threadfence_block();
    uint64_t old = *(volatile __mbarrier_t*)barrier;
    while (true) {
        uint64_t next = old - drop - (1ull << 20);
        if ((next >> 20 & 0xfffff) == 0) next = (next ^ 1ull << 63) | (next & 0xfffff) << 20;
        const uint64_t seen =
            atomicCAS((unsigned long long*)barrier, (unsigned long long)old, (unsigned long long)next);
        if (seen == old) return old;
        old = seen;
    }
}
LOCKSTEP_MBARRIER void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
    *(volatile __mbarrier_t*)barrier = (uint64_t)expected_count << 20 | expected_count;
}
LOCKSTEP_MBARRIER void __mbarrier_inval(__mbarrier_t*) {}
LOCKSTEP_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    return __lockstep_mbarrier_arrive(barrier, 0);
}
LOCKSTEP_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    return __lockstep_mbarrier_arrive(barrier, 1);
}
LOCKSTEP_MBARRIER bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    const bool complete = ((*(volatile __mbarrier_t*)barrier ^ token) >> 63) != 0;
    __threadfence_block();
    return complete;
}
LOCKSTEP_MBARRIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return (uint32_t)(token >> 20) & 0xfffff;
}

#endif

/* CUDA has these for all, and stops the kernel on a GPU before 9.0. */
#if LOCKSTEP_ARCH >= 900
#define LOCKSTEP_MBARRIER_WAIT(instruction, ...)                                     \
    uint32_t complete;                                                               \
    asm volatile("{ .reg .pred p; mbarrier." instruction "; selp.b32 %0, 1, 0, p; }" \
                 : "=r"(complete)                                                    \
                 : "r"(__lockstep_mbarrier_address(barrier)), __VA_ARGS__            \
                 : "memory");                                                        \
    return complete != 0;
#else
#define LOCKSTEP_MBARRIER_WAIT(instruction, ...) \
    (void)barrier;                               \
    __trap();                                    \
    return false;
#endif
LOCKSTEP_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
    (void)phase_parity;
    LOCKSTEP_MBARRIER_WAIT("test_wait.parity.shared.b64 p, [%1], %2", "r"((uint32_t)phase_parity))
}
LOCKSTEP_MBARRIER bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                           uint32_t max_sleep_nanosec) {
    (void)token, (void)max_sleep_nanosec;
    LOCKSTEP_MBARRIER_WAIT("try_wait.shared.b64 p, [%1], %2, %3", "l"(token), "r"(max_sleep_nanosec))
}
LOCKSTEP_MBARRIER bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity,
                                                  uint32_t max_sleep_nanosec) {
    (void)phase_parity, (void)max_sleep_nanosec;
    LOCKSTEP_MBARRIER_WAIT("try_wait.parity.shared.b64 p, [%1], %2, %3", "r"((uint32_t)phase_parity),
                           "r"(max_sleep_nanosec))
}
#undef LOCKSTEP_MBARRIER_WAIT
#undef LOCKSTEP_MBARRIER

#pragma clang attribute pop
#endif
#endif
