/* Shuffles of 64 bits are two of 32: a value's halves are registers of their own, as in nvcc's code, and the upper one goes
 * first. Those of 32 bits are clang's, which lockstep/device.h has set aside under names of its own. */
#pragma once

#define LOCKSTEP_SHUFFLE_32(type, name, offset)                                                     \
    __device__ inline type name(unsigned int mask, type value, offset at, int width = 32) {         \
        return __lockstep_clang##name(mask, value, at, width);                                      \
    }
#define LOCKSTEP_SHUFFLE_64(type, letter, name, offset)                                             \
    __device__ inline type name(unsigned int mask, type value, offset at, int width = 32) {         \
        int low, high;                                                                              \
        asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : letter(value));                       \
        high = __lockstep_clang##name(mask, high, at, width);                                       \
        low = __lockstep_clang##name(mask, low, at, width);                                         \
        asm("mov.b64 %0, {%1, %2};" : "=" letter(value) : "r"(low), "r"(high));                     \
        return value;                                                                               \
    }
#define LOCKSTEP_SHUFFLES(name, offset)                 \
    LOCKSTEP_SHUFFLE_32(int, name, offset)              \
    LOCKSTEP_SHUFFLE_32(unsigned int, name, offset)     \
    LOCKSTEP_SHUFFLE_32(float, name, offset)            \
    LOCKSTEP_SHUFFLE_64(long, "l", name, offset)        \
    LOCKSTEP_SHUFFLE_64(unsigned long, "l", name, offset)      \
    LOCKSTEP_SHUFFLE_64(long long, "l", name, offset)          \
    LOCKSTEP_SHUFFLE_64(unsigned long long, "l", name, offset) \
    LOCKSTEP_SHUFFLE_64(double, "d", name, offset)
LOCKSTEP_SHUFFLES(__shfl_sync, int)
LOCKSTEP_SHUFFLES(__shfl_up_sync, unsigned int)
LOCKSTEP_SHUFFLES(__shfl_down_sync, unsigned int)
LOCKSTEP_SHUFFLES(__shfl_xor_sync, int)
#undef LOCKSTEP_SHUFFLES
#undef LOCKSTEP_SHUFFLE_64
#undef LOCKSTEP_SHUFFLE_32
