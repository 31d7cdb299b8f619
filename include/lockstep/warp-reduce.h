// Reductions over the lanes of a warp (redux.sync).
#pragma once

#define __LOCKSTEP_REDUX(name, operation, type)                                                          \
    static __device__ __inline__ __attribute__((always_inline)) type __reduce_##name##_sync(unsigned mask, type value) { \
        type result;                                                                                     \
        asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));    \
        return result;                                                                                   \
    }

__LOCKSTEP_REDUX(add, "add.u32", unsigned)
__LOCKSTEP_REDUX(min, "min.u32", unsigned)
__LOCKSTEP_REDUX(max, "max.u32", unsigned)
__LOCKSTEP_REDUX(add, "add.s32", int)
__LOCKSTEP_REDUX(min, "min.s32", int)
__LOCKSTEP_REDUX(max, "max.s32", int)
__LOCKSTEP_REDUX(and, "and.b32", unsigned)
__LOCKSTEP_REDUX(or, "or.b32", unsigned)
__LOCKSTEP_REDUX(xor, "xor.b32", unsigned)

#undef __LOCKSTEP_REDUX
