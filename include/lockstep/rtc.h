/* What code that is compiled at run time (NVRTC) finds without an #include, beside CUDA's own names: it has no C or
 * C++ library, and may bring one of its own, so no more names than these are taken. */
#ifndef LOCKSTEP_RTC_H
#define LOCKSTEP_RTC_H

#include <initializer_list>

typedef long clock_t;

/* What clang's headers ask <limits.h> and <math.h> for, while they are read (lockstep/device.h). */
#define LOCKSTEP_RTC_MACROS
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif

/* As the C++ library declares them, so that a program may include it as well. */
namespace std {
template <class T>
__device__ __forceinline__ constexpr __remove_reference_t(T) && move(T&& value) noexcept {
    return static_cast<__remove_reference_t(T)&&>(value);
}
template <class T>
__device__ __forceinline__ constexpr T&& forward(__remove_reference_t(T) & value) noexcept {
    return static_cast<T&&>(value);
}
template <class T>
__device__ __forceinline__ constexpr T&& forward(__remove_reference_t(T) && value) noexcept {
    return static_cast<T&&>(value);
}
}  // namespace std

#endif
