/* What stands before every HIP program, in place of what hipcc puts there: clang's own header for HIP with
 * its mathematics, and before it what a kernel asks of the host. That is an s_trap with a number of ours,
 * which no GPU's trap handler has and the executor answers for each active lane; values are in the first
 * vector registers (docs/hip.md). */
#ifndef LOCKSTEP_HIP_PREAMBLE_H
#define LOCKSTEP_HIP_PREAMBLE_H

#define LOCKSTEP_HIP_DEVICE __attribute__((device, always_inline, nodebug)) inline
#ifdef __HIP_DEVICE_COMPILE__
#define LOCKSTEP_HIP_TRAP(...) asm volatile(__VA_ARGS__)
#else
/* The host's pass only looks at what kernels call. */
#define LOCKSTEP_HIP_TRAP(...)
#endif

/* Memory of the device's heap: clang's malloc, free, new and delete end here. */
extern "C" {
LOCKSTEP_HIP_DEVICE unsigned long long __ockl_dm_alloc(unsigned long long size) {
    unsigned long long address = 0;
    LOCKSTEP_HIP_TRAP("s_trap 66" : "={v[0:1]}"(address) : "{v[2:3]}"(size) : "memory");
    return address;
}
LOCKSTEP_HIP_DEVICE void __ockl_dm_dealloc(unsigned long long address) {
    LOCKSTEP_HIP_TRAP("s_trap 67" : : "{v[2:3]}"(address) : "memory");
}
/* What <assert.h>'s macro calls. */
LOCKSTEP_HIP_DEVICE void __assert_fail(const char* expression, const char* file, unsigned int line,
                                       const char* function) {
    LOCKSTEP_HIP_TRAP("s_trap 65" : : "{v[2:3]}"(expression), "{v[4:5]}"(file), "{v6}"(line),
                      "{v[7:8]}"(function) : "memory");
    __builtin_trap();
}
LOCKSTEP_HIP_DEVICE void abort() { __builtin_trap(); }
}

/* printf: arguments as C promotes them, naturally aligned, one behind the other. */
LOCKSTEP_HIP_DEVICE double __lockstep_promoted(float v) { return v; }
#ifdef __FLT16_MAX__
LOCKSTEP_HIP_DEVICE double __lockstep_promoted(_Float16 v) { return v; }
#endif
LOCKSTEP_HIP_DEVICE const void* __lockstep_promoted(decltype(nullptr)) { return nullptr; }
template <class T>
LOCKSTEP_HIP_DEVICE auto __lockstep_promoted(T v) -> decltype(+v) {
    return +v;
}
constexpr unsigned __lockstep_aligned(unsigned offset, unsigned size) {
    return (offset + size - 1) / size * size;
}
template <class... T>
struct __lockstep_packed;
template <>
struct __lockstep_packed<> {
    static constexpr unsigned end(unsigned offset) { return offset; }
    LOCKSTEP_HIP_DEVICE static void put(char*, unsigned) {}
};
template <class First, class... Rest>
struct __lockstep_packed<First, Rest...> {
    static constexpr unsigned begin(unsigned offset) { return __lockstep_aligned(offset, sizeof(First)); }
    static constexpr unsigned end(unsigned offset) {
        return __lockstep_packed<Rest...>::end(begin(offset) + sizeof(First));
    }
    LOCKSTEP_HIP_DEVICE static void put(char* to, unsigned offset, First first, Rest... rest) {
        __builtin_memcpy(to + begin(offset), &first, sizeof first);
        __lockstep_packed<Rest...>::put(to, begin(offset) + sizeof first, rest...);
    }
};
template <class... T>
LOCKSTEP_HIP_DEVICE int __lockstep_print(const char* format, T... arguments) {
    typedef __lockstep_packed<T...> Packed;
    alignas(8) char packed[Packed::end(0) + 1];
    Packed::put(packed, 0, arguments...);
    int count = 0;
    LOCKSTEP_HIP_TRAP("s_trap 64" : "={v0}"(count) : "{v[2:3]}"(format), "{v[4:5]}"(packed) : "memory");
    return count;
}
template <class... T>
LOCKSTEP_HIP_DEVICE int printf(const char* format, T... arguments) {
    return __lockstep_print(format, __lockstep_promoted(arguments)...);
}
#undef LOCKSTEP_HIP_TRAP
#undef LOCKSTEP_HIP_DEVICE

/* Without debug information of their own, the math library's functions take the line of whoever calls them:
 * the user's. */
#ifdef __HIP_DEVICE_COMPILE__
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif
#include <__clang_hip_runtime_wrapper.h>
#ifdef __HIP_DEVICE_COMPILE__
#pragma clang attribute pop
#endif

#endif
