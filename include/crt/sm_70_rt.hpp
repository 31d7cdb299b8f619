/* clang's __clang_cuda_intrinsics.h includes a file of this name, in which it expects __match_any_sync and __match_all_sync. */
#ifndef LOCKSTEP_SM_70_RT_HPP
#define LOCKSTEP_SM_70_RT_HPP

#define LOCKSTEP_MATCH(type, bits, word, cast)                                                        \
    static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, type value) {  \
        return __match##bits##_any_sync(mask, (word)cast(value));                                     \
    }                                                                                                 \
    static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, type value, int* pred) { \
        return __match##bits##_all_sync(mask, (word)cast(value), pred);                               \
    }
LOCKSTEP_MATCH(unsigned int, 32, unsigned int, )
LOCKSTEP_MATCH(int, 32, unsigned int, )
LOCKSTEP_MATCH(unsigned long, 64, unsigned long long, )
LOCKSTEP_MATCH(long, 64, unsigned long long, )
LOCKSTEP_MATCH(unsigned long long, 64, unsigned long long, )
LOCKSTEP_MATCH(long long, 64, unsigned long long, )
LOCKSTEP_MATCH(float, 32, unsigned int, __float_as_uint)
LOCKSTEP_MATCH(double, 64, unsigned long long, __double_as_longlong)
#undef LOCKSTEP_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned int nanoseconds) {
    asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds));
}

#endif
