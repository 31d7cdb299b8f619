/* Copies from global to shared memory that go on while the thread does something else: cp.async. GPUs
 * before 8.0 copy at once. */
#ifndef LOCKSTEP_CUDA_PIPELINE_PRIMITIVES_H
#define LOCKSTEP_CUDA_PIPELINE_PRIMITIVES_H
#define _CUDA_PIPELINE_PRIMITIVES_H_
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include <stddef.h>
#include <stdint.h>

#define LOCKSTEP_PIPELINE static __device__ __forceinline__
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#if LOCKSTEP_ARCH >= 800

/* 16 bytes go past the first cache. The second form fills the rest with zeros. */
#define LOCKSTEP_COPY(cache, size)                                                                        \
    if (__builtin_constant_p(zfill) && zfill == 0)                                                        \
        asm volatile("cp.async." cache ".shared.global [%0], [%1], " #size ";" ::"r"(to), "l"(src_global) \
                     : "memory");                                                                         \
    else                                                                                                  \
        asm volatile("cp.async." cache ".shared.global [%0], [%1], " #size ", %2;" ::"r"(to),             \
                     "l"(src_global), "r"((uint32_t)(size - zfill))                                       \
                     : "memory");
LOCKSTEP_PIPELINE void __pipeline_memcpy_async(void* __restrict__ dst_shared,
                                               const void* __restrict__ src_global, size_t size_and_align,
                                               size_t zfill = 0) {
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(dst_shared);
    if (zfill > size_and_align) __trap();
    switch (size_and_align) {
        case 4: LOCKSTEP_COPY("ca", 4) break;
        case 8: LOCKSTEP_COPY("ca", 8) break;
        case 16: LOCKSTEP_COPY("cg", 16) break;
        default: __trap();
    }
}
#undef LOCKSTEP_COPY
LOCKSTEP_PIPELINE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
LOCKSTEP_PIPELINE void __pipeline_wait_prior(size_t prior) {
#define LOCKSTEP_WAIT(n) \
    case n: asm volatile("cp.async.wait_group " #n ";" ::: "memory"); break;
    switch (prior < 8 ? prior : 8) {
        LOCKSTEP_WAIT(0)
        LOCKSTEP_WAIT(1)
        LOCKSTEP_WAIT(2)
        LOCKSTEP_WAIT(3)
        LOCKSTEP_WAIT(4)
        LOCKSTEP_WAIT(5)
        LOCKSTEP_WAIT(6)
        LOCKSTEP_WAIT(7)
        LOCKSTEP_WAIT(8)
    }
#undef LOCKSTEP_WAIT
}

#else

LOCKSTEP_PIPELINE void __pipeline_memcpy_async(void* __restrict__ dst_shared,
                                               const void* __restrict__ src_global, size_t size_and_align,
                                               size_t zfill = 0) {
    if (zfill > size_and_align || (size_and_align != 4 && size_and_align != 8 && size_and_align != 16))
        __trap();
    char* to = static_cast<char*>(dst_shared);
    const char* from = static_cast<const char*>(src_global);
    if (zfill == 0) {
        for (size_t i = 0; i < size_and_align; i += 4)
            *reinterpret_cast<uint32_t*>(to + i) = *reinterpret_cast<const uint32_t*>(from + i);
    } else {
        for (size_t i = 0; i < size_and_align; ++i) to[i] = i < size_and_align - zfill ? from[i] : 0;
    }
}
LOCKSTEP_PIPELINE void __pipeline_commit() {}
LOCKSTEP_PIPELINE void __pipeline_wait_prior(size_t) {}

#endif
#pragma clang attribute pop

#if LOCKSTEP_ARCH >= 700
#include "cuda_awbarrier_primitives.h"
LOCKSTEP_PIPELINE void __pipeline_arrive_on(__mbarrier_t* barrier) {
#if LOCKSTEP_ARCH >= 800
    asm volatile(
        "cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"((uint32_t)__cvta_generic_to_shared(barrier))
        : "memory");
#else
    (void)barrier; /* nothing is under way */
#endif
}
#endif
#undef LOCKSTEP_PIPELINE

#endif
#endif
