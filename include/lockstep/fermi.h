/* For GPUs before 3.0: votes of a warp, which clang's backend knows from 3.0 on, and __syncwarp, which no CUDA has had for them, but which
 * costs nothing where lanes run in lockstep and is all that many a program lacks. */
#ifndef LOCKSTEP_FERMI_H
#define LOCKSTEP_FERMI_H

#define LOCKSTEP_VOTE(name, mode)                                                                       \
    static __device__ __forceinline__ int name(int predicate) {                                         \
        int result;                                                                                     \
        asm volatile(                                                                                   \
            "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote." mode ".pred q, p; selp.s32 %0, 1, 0, q; }" \
            : "=r"(result)                                                                              \
            : "r"(predicate));                                                                          \
        return result;                                                                                  \
    }
LOCKSTEP_VOTE(__all, "all")
LOCKSTEP_VOTE(__any, "any")
#undef LOCKSTEP_VOTE

static __device__ __forceinline__ unsigned int __ballot(int predicate) {
    unsigned int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }"
                 : "=r"(result)
                 : "r"(predicate));
    return result;
}

static __device__ __forceinline__ void __syncwarp(unsigned int mask = 0xffffffff) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}

#endif
