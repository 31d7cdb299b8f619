/* Device declarations of C++'s math functions. They come before <cmath>, whose own constexpr functions of the
 * same types then are the host's alone; math-overloads.h defines them. */
#ifndef LOCKSTEP_MATH_DECLARATIONS_H
#define LOCKSTEP_MATH_DECLARATIONS_H
#include "math-lists.h"

#define LOCKSTEP_DEVICE static __device__ __forceinline__

#define LOCKSTEP_DECLARE(name)           \
    LOCKSTEP_DEVICE double name(double); \
    LOCKSTEP_DEVICE float name(float);
LOCKSTEP_MATH_1(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
#define LOCKSTEP_DECLARE(result, name)   \
    LOCKSTEP_DEVICE result name(double); \
    LOCKSTEP_DEVICE result name(float);
LOCKSTEP_MATH_TO_INTEGER(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
#define LOCKSTEP_DECLARE(name)                   \
    LOCKSTEP_DEVICE double name(double, double); \
    LOCKSTEP_DEVICE float name(float, float);
LOCKSTEP_MATH_2(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
#define LOCKSTEP_DECLARE(name)         \
    LOCKSTEP_DEVICE bool name(double); \
    LOCKSTEP_DEVICE bool name(float);
LOCKSTEP_MATH_TEST_1(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
#define LOCKSTEP_DECLARE(name)                 \
    LOCKSTEP_DEVICE bool name(double, double); \
    LOCKSTEP_DEVICE bool name(float, float);
LOCKSTEP_MATH_TEST_2(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

LOCKSTEP_DEVICE int abs(int);
LOCKSTEP_DEVICE long abs(long);
LOCKSTEP_DEVICE long long abs(long long);
LOCKSTEP_DEVICE double abs(double);
LOCKSTEP_DEVICE float abs(float);
LOCKSTEP_DEVICE long labs(long);
LOCKSTEP_DEVICE long long llabs(long long);
LOCKSTEP_DEVICE double fma(double, double, double);
LOCKSTEP_DEVICE float fma(float, float, float);
LOCKSTEP_DEVICE int fpclassify(double);
LOCKSTEP_DEVICE int fpclassify(float);
LOCKSTEP_DEVICE double frexp(double, int*);
LOCKSTEP_DEVICE float frexp(float, int*);
LOCKSTEP_DEVICE double ldexp(double, int);
LOCKSTEP_DEVICE float ldexp(float, int);
LOCKSTEP_DEVICE double modf(double, double*);
LOCKSTEP_DEVICE float modf(float, float*);
LOCKSTEP_DEVICE double nan(const char*);
LOCKSTEP_DEVICE float nanf(const char*);
LOCKSTEP_DEVICE double remquo(double, double, int*);
LOCKSTEP_DEVICE float remquo(float, float, int*);
LOCKSTEP_DEVICE double scalbln(double, long);
LOCKSTEP_DEVICE float scalbln(float, long);
LOCKSTEP_DEVICE double scalbn(double, int);
LOCKSTEP_DEVICE float scalbn(float, int);

namespace std {
#define LOCKSTEP_USE(name) using ::name;
#define LOCKSTEP_USE_TO(result, name) using ::name;
LOCKSTEP_MATH_1(LOCKSTEP_USE)
LOCKSTEP_MATH_TO_INTEGER(LOCKSTEP_USE_TO)
LOCKSTEP_MATH_2(LOCKSTEP_USE)
LOCKSTEP_MATH_TEST_1(LOCKSTEP_USE)
LOCKSTEP_MATH_TEST_2(LOCKSTEP_USE)
LOCKSTEP_MATH_REST(LOCKSTEP_USE)
#undef LOCKSTEP_USE
#undef LOCKSTEP_USE_TO
}  // namespace std

#undef LOCKSTEP_DEVICE
#endif
