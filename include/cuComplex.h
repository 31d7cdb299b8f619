/* Complex numbers as float2 and double2: C and C++, host and device. */
#ifndef LOCKSTEP_CUCOMPLEX_H
#define LOCKSTEP_CUCOMPLEX_H
/* Programs ask for CUDA's own include guard, too. */
#define CU_COMPLEX_H_
#include <math.h>

#include "vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOCKSTEP_COMPLEX static inline __host__ __device__ __attribute__((unused))

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* `s` is the ending of the names, `u` that of the functions of one number. Divisors and magnitudes are scaled
 * first, so that squares of large parts do not overflow and those of small ones do not vanish. */
#define LOCKSTEP_COMPLEX_TYPE(type, real, make, s, root, magnitude)                                         \
    LOCKSTEP_COMPLEX real cuCreal##s(type x) { return x.x; }                                                \
    LOCKSTEP_COMPLEX real cuCimag##s(type x) { return x.y; }                                                \
    LOCKSTEP_COMPLEX type make(real r, real i) {                                                            \
        type z;                                                                                             \
        z.x = r;                                                                                            \
        z.y = i;                                                                                            \
        return z;                                                                                           \
    }                                                                                                       \
    LOCKSTEP_COMPLEX type cuConj##s(type x) { return make(x.x, -x.y); }                                     \
    LOCKSTEP_COMPLEX type cuCadd##s(type x, type y) { return make(x.x + y.x, x.y + y.y); }                  \
    LOCKSTEP_COMPLEX type cuCsub##s(type x, type y) { return make(x.x - y.x, x.y - y.y); }                  \
    LOCKSTEP_COMPLEX type cuCmul##s(type x, type y) {                                                       \
        return make((x.x * y.x) - (x.y * y.y), (x.x * y.y) + (x.y * y.x));                                  \
    }                                                                                                       \
    LOCKSTEP_COMPLEX type cuCdiv##s(type x, type y) {                                                       \
        const real scale = magnitude(y.x) + magnitude(y.y), inverse = (real)1 / scale;                      \
        const real a = x.x * inverse, b = x.y * inverse, c = y.x * inverse, d = y.y * inverse;              \
        const real whole = (real)1 / ((c * c) + (d * d));                                                   \
        return make(((a * c) + (b * d)) * whole, ((b * c) - (a * d)) * whole);                              \
    }                                                                                                       \
    LOCKSTEP_COMPLEX real cuCabs##s(type x) {                                                               \
        const real a = magnitude(x.x), b = magnitude(x.y);                                                  \
        const real large = a > b ? a : b, small = a > b ? b : a, ratio = small / large;                     \
        const real result = large * root((real)1 + ratio * ratio);                                          \
        /* 0, an infinity or a NaN in the larger part. */                                                   \
        return large == 0 || large > LOCKSTEP_COMPLEX_MOST##s || small > LOCKSTEP_COMPLEX_MOST##s ? a + b   \
                                                                                                  : result; \
    }
#define LOCKSTEP_COMPLEX_MOSTf 3.402823466e38f
#define LOCKSTEP_COMPLEX_MOST 1.79769313486231570e+308
LOCKSTEP_COMPLEX_TYPE(cuFloatComplex, float, make_cuFloatComplex, f, sqrtf, fabsf)
LOCKSTEP_COMPLEX_TYPE(cuDoubleComplex, double, make_cuDoubleComplex, , sqrt, fabs)
#undef LOCKSTEP_COMPLEX_TYPE
#undef LOCKSTEP_COMPLEX_MOSTf
#undef LOCKSTEP_COMPLEX_MOST

LOCKSTEP_COMPLEX cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
LOCKSTEP_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return make_cuDoubleComplex((double)x.x, (double)x.y);
}
LOCKSTEP_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return make_cuFloatComplex((float)x.x, (float)x.y);
}
LOCKSTEP_COMPLEX cuComplex cuCfmaf(cuComplex x, cuComplex y, cuComplex d) {
    const float r = (x.x * y.x) + d.x, i = (x.x * y.y) + d.y;
    return make_cuComplex(-(x.y * y.y) + r, (x.y * y.x) + i);
}
LOCKSTEP_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
    const double r = (x.x * y.x) + d.x, i = (x.x * y.y) + d.y;
    return make_cuDoubleComplex(-(x.y * y.y) + r, (x.y * y.x) + i);
}
#undef LOCKSTEP_COMPLEX

#ifdef __cplusplus
}
#endif

#endif
