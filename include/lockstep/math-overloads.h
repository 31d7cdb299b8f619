/* The overloads of C++'s math functions in device code: for float, and for integers and mixed arguments,
 * which become double. The double forms and the float forms with a suffix are clang's. */
#ifndef LOCKSTEP_MATH_OVERLOADS_H
#define LOCKSTEP_MATH_OVERLOADS_H
#include "math-lists.h"

#define LOCKSTEP_DEVICE static __device__ __forceinline__

/* `type`, for integers alone, or where every argument is a number */
template <bool holds, class type>
struct __lockstep_if {};
template <class type_>
struct __lockstep_if<true, type_> {
    typedef type_ type;
};
#define LOCKSTEP_IF_INTEGER(T, result) \
    typename __lockstep_if<__is_integral(T), result>::type
#define LOCKSTEP_IF_NUMBERS(T, U, result) \
    typename __lockstep_if<__is_arithmetic(T) && __is_arithmetic(U), result>::type

#define LOCKSTEP_OVERLOAD(name)                                  \
    LOCKSTEP_DEVICE float name(float a) { return ::name##f(a); } \
    template <class T>                                           \
    LOCKSTEP_DEVICE LOCKSTEP_IF_INTEGER(T, double) name(T a) {   \
        return ::name((double)a);                                \
    }
LOCKSTEP_MATH_1(LOCKSTEP_OVERLOAD)
#undef LOCKSTEP_OVERLOAD

#define LOCKSTEP_OVERLOAD(result, name)                           \
    LOCKSTEP_DEVICE result name(float a) { return ::name##f(a); } \
    template <class T>                                            \
    LOCKSTEP_DEVICE LOCKSTEP_IF_INTEGER(T, result) name(T a) {    \
        return ::name((double)a);                                 \
    }
LOCKSTEP_MATH_TO_INTEGER(LOCKSTEP_OVERLOAD)
#undef LOCKSTEP_OVERLOAD

#define LOCKSTEP_OVERLOAD(name)                                              \
    LOCKSTEP_DEVICE float name(float a, float b) { return ::name##f(a, b); } \
    template <class T, class U>                                              \
    LOCKSTEP_DEVICE LOCKSTEP_IF_NUMBERS(T, U, double) name(T a, U b) {       \
        return ::name((double)a, (double)b);                                 \
    }
LOCKSTEP_MATH_2(LOCKSTEP_OVERLOAD)
#undef LOCKSTEP_OVERLOAD

#define LOCKSTEP_OVERLOAD(name)                                         \
    LOCKSTEP_DEVICE bool name(float a) { return __builtin_##name(a); }  \
    LOCKSTEP_DEVICE bool name(double a) { return __builtin_##name(a); } \
    template <class T>                                                  \
    LOCKSTEP_DEVICE LOCKSTEP_IF_INTEGER(T, bool) name(T a) {            \
        return ::name((double)a);                                       \
    }
LOCKSTEP_MATH_TEST_1(LOCKSTEP_OVERLOAD)
#undef LOCKSTEP_OVERLOAD

#define LOCKSTEP_OVERLOAD(name)                                                      \
    LOCKSTEP_DEVICE bool name(float a, float b) { return __builtin_##name(a, b); }   \
    LOCKSTEP_DEVICE bool name(double a, double b) { return __builtin_##name(a, b); } \
    template <class T, class U>                                                      \
    LOCKSTEP_DEVICE LOCKSTEP_IF_NUMBERS(T, U, bool) name(T a, U b) {                 \
        return ::name((double)a, (double)b);                                         \
    }
LOCKSTEP_MATH_TEST_2(LOCKSTEP_OVERLOAD)
#undef LOCKSTEP_OVERLOAD

LOCKSTEP_DEVICE long abs(long a) { return ::labs(a); }
LOCKSTEP_DEVICE long long abs(long long a) { return ::llabs(a); }
LOCKSTEP_DEVICE float abs(float a) { return ::fabsf(a); }
LOCKSTEP_DEVICE double abs(double a) { return ::fabs(a); }
LOCKSTEP_DEVICE float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
template <class T, class U, class V>
LOCKSTEP_DEVICE
    typename __lockstep_if<__is_arithmetic(T) && __is_arithmetic(U) && __is_arithmetic(V), double>::type
    fma(T a, U b, V c) {
    return ::fma((double)a, (double)b, (double)c);
}
#define LOCKSTEP_CLASSIFY(T)                                                                   \
    LOCKSTEP_DEVICE int fpclassify(T a) {                                                      \
        return __builtin_fpclassify(0, 1, 4, 3, 2, a); \
    }
LOCKSTEP_CLASSIFY(float)
LOCKSTEP_CLASSIFY(double)
#undef LOCKSTEP_CLASSIFY
template <class T>
LOCKSTEP_DEVICE LOCKSTEP_IF_INTEGER(T, int) fpclassify(T a) {
    return ::fpclassify((double)a);
}
LOCKSTEP_DEVICE float modf(float a, float* whole) { return ::modff(a, whole); }
/* The tag is not looked at. */
LOCKSTEP_DEVICE double nan(const char*) { return __builtin_nan(""); }
LOCKSTEP_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
LOCKSTEP_DEVICE float remquo(float a, float b, int* quotient) { return ::remquof(a, b, quotient); }
template <class T, class U>
LOCKSTEP_DEVICE LOCKSTEP_IF_NUMBERS(T, U, double) remquo(T a, U b, int* quotient) {
    return ::remquo((double)a, (double)b, quotient);
}
#define LOCKSTEP_OVERLOAD(name, second)                                       \
    LOCKSTEP_DEVICE float name(float a, second b) { return ::name##f(a, b); } \
    template <class T>                                                        \
    LOCKSTEP_DEVICE LOCKSTEP_IF_INTEGER(T, double) name(T a, second b) {      \
        return ::name((double)a, b);                                          \
    }
LOCKSTEP_OVERLOAD(frexp, int*)
LOCKSTEP_OVERLOAD(ldexp, int)
LOCKSTEP_OVERLOAD(scalbln, long)
LOCKSTEP_OVERLOAD(scalbn, int)
#undef LOCKSTEP_OVERLOAD

/* Once more, now that the templates are there; and the float forms with a suffix. isinf and isnan are in std
 * already. */
namespace std {
#define LOCKSTEP_USE(name) \
    using ::name;          \
    using ::name##f;
#define LOCKSTEP_USE_TO(result, name) LOCKSTEP_USE(name)
LOCKSTEP_MATH_1(LOCKSTEP_USE)
LOCKSTEP_MATH_TO_INTEGER(LOCKSTEP_USE_TO)
LOCKSTEP_MATH_2(LOCKSTEP_USE)
LOCKSTEP_MATH_SUFFIXED_REST(LOCKSTEP_USE)
#undef LOCKSTEP_USE
#undef LOCKSTEP_USE_TO
#define LOCKSTEP_USE(name) using ::name;
LOCKSTEP_MATH_TEST_1(LOCKSTEP_USE)
LOCKSTEP_MATH_TEST_2(LOCKSTEP_USE)
LOCKSTEP_MATH_REST(LOCKSTEP_USE)
#undef LOCKSTEP_USE
}  // namespace std

#undef LOCKSTEP_IF_INTEGER
#undef LOCKSTEP_IF_NUMBERS
#undef LOCKSTEP_DEVICE
#endif
