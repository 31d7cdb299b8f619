/* Complex numbers as float2 and double2, in C and C++, for CUDA's names and HIP's. Whoever includes it, once,
 * has defined the vector types, LOCKSTEP_COMPLEX_NAME(name) and LOCKSTEP_MAKE_COMPLEX(name): the name with
 * the API's prefix, and with "make_" before that. */
#ifndef LOCKSTEP_COMPLEX_FUNCTIONS_H
#define LOCKSTEP_COMPLEX_FUNCTIONS_H
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOCKSTEP_COMPLEX static inline __host__ __device__ __attribute__((unused))

typedef float2 LOCKSTEP_COMPLEX_NAME(FloatComplex);
typedef double2 LOCKSTEP_COMPLEX_NAME(DoubleComplex);
typedef LOCKSTEP_COMPLEX_NAME(FloatComplex) LOCKSTEP_COMPLEX_NAME(Complex);

/* `s` is the ending of the names, `u` that of the functions of one number. Divisors and magnitudes are scaled
 * first, so that squares of large parts do not overflow and those of small ones do not vanish. */
#define LOCKSTEP_COMPLEX_TYPE(type, real, make, s, root, magnitude)                                         \
    LOCKSTEP_COMPLEX real LOCKSTEP_COMPLEX_NAME(Creal##s)(type x) { return x.x; }                           \
    LOCKSTEP_COMPLEX real LOCKSTEP_COMPLEX_NAME(Cimag##s)(type x) { return x.y; }                           \
    LOCKSTEP_COMPLEX type make(real r, real i) {                                                            \
        type z;                                                                                             \
        z.x = r;                                                                                            \
        z.y = i;                                                                                            \
        return z;                                                                                           \
    }                                                                                                       \
    LOCKSTEP_COMPLEX type LOCKSTEP_COMPLEX_NAME(Conj##s)(type x) { return make(x.x, -x.y); }                \
    LOCKSTEP_COMPLEX type LOCKSTEP_COMPLEX_NAME(Cadd##s)(type x, type y) {                                  \
        return make(x.x + y.x, x.y + y.y);                                                                  \
    }                                                                                                       \
    LOCKSTEP_COMPLEX type LOCKSTEP_COMPLEX_NAME(Csub##s)(type x, type y) {                                  \
        return make(x.x - y.x, x.y - y.y);                                                                  \
    }                                                                                                       \
    LOCKSTEP_COMPLEX type LOCKSTEP_COMPLEX_NAME(Cmul##s)(type x, type y) {                                  \
        return make((x.x * y.x) - (x.y * y.y), (x.x * y.y) + (x.y * y.x));                                  \
    }                                                                                                       \
    LOCKSTEP_COMPLEX type LOCKSTEP_COMPLEX_NAME(Cdiv##s)(type x, type y) {                                  \
        const real scale = magnitude(y.x) + magnitude(y.y), inverse = (real)1 / scale;                      \
        const real a = x.x * inverse, b = x.y * inverse, c = y.x * inverse, d = y.y * inverse;              \
        const real whole = (real)1 / ((c * c) + (d * d));                                                   \
        return make(((a * c) + (b * d)) * whole, ((b * c) - (a * d)) * whole);                              \
    }                                                                                                       \
    LOCKSTEP_COMPLEX real LOCKSTEP_COMPLEX_NAME(Cabs##s)(type x) {                                          \
        const real a = magnitude(x.x), b = magnitude(x.y);                                                  \
        const real large = a > b ? a : b, small = a > b ? b : a, ratio = small / large;                     \
        const real result = large * root((real)1 + ratio * ratio);                                          \
        /* 0, an infinity or a NaN in the larger part. */                                                   \
        return large == 0 || large > LOCKSTEP_COMPLEX_MOST##s || small > LOCKSTEP_COMPLEX_MOST##s ? a + b   \
                                                                                                  : result; \
    }
#define LOCKSTEP_COMPLEX_MOSTf 3.402823466e38f
#define LOCKSTEP_COMPLEX_MOST 1.79769313486231570e+308
LOCKSTEP_COMPLEX_TYPE(LOCKSTEP_COMPLEX_NAME(FloatComplex), float, LOCKSTEP_MAKE_COMPLEX(FloatComplex), f,
                      sqrtf, fabsf)
LOCKSTEP_COMPLEX_TYPE(LOCKSTEP_COMPLEX_NAME(DoubleComplex), double, LOCKSTEP_MAKE_COMPLEX(DoubleComplex), ,
                      sqrt, fabs)
#undef LOCKSTEP_COMPLEX_TYPE
#undef LOCKSTEP_COMPLEX_MOSTf
#undef LOCKSTEP_COMPLEX_MOST

LOCKSTEP_COMPLEX LOCKSTEP_COMPLEX_NAME(Complex) LOCKSTEP_MAKE_COMPLEX(Complex)(float r, float i) {
    return LOCKSTEP_MAKE_COMPLEX(FloatComplex)(r, i);
}
LOCKSTEP_COMPLEX LOCKSTEP_COMPLEX_NAME(DoubleComplex)
    LOCKSTEP_COMPLEX_NAME(ComplexFloatToDouble)(LOCKSTEP_COMPLEX_NAME(FloatComplex) x) {
    return LOCKSTEP_MAKE_COMPLEX(DoubleComplex)((double)x.x, (double)x.y);
}
LOCKSTEP_COMPLEX LOCKSTEP_COMPLEX_NAME(FloatComplex)
    LOCKSTEP_COMPLEX_NAME(ComplexDoubleToFloat)(LOCKSTEP_COMPLEX_NAME(DoubleComplex) x) {
    return LOCKSTEP_MAKE_COMPLEX(FloatComplex)((float)x.x, (float)x.y);
}
LOCKSTEP_COMPLEX LOCKSTEP_COMPLEX_NAME(Complex)
    LOCKSTEP_COMPLEX_NAME(Cfmaf)(LOCKSTEP_COMPLEX_NAME(Complex) x, LOCKSTEP_COMPLEX_NAME(Complex) y,
                                 LOCKSTEP_COMPLEX_NAME(Complex) d) {
    const float r = (x.x * y.x) + d.x, i = (x.x * y.y) + d.y;
    return LOCKSTEP_MAKE_COMPLEX(Complex)(-(x.y * y.y) + r, (x.y * y.x) + i);
}
LOCKSTEP_COMPLEX LOCKSTEP_COMPLEX_NAME(DoubleComplex)
    LOCKSTEP_COMPLEX_NAME(Cfma)(LOCKSTEP_COMPLEX_NAME(DoubleComplex) x,
                                LOCKSTEP_COMPLEX_NAME(DoubleComplex) y,
                                LOCKSTEP_COMPLEX_NAME(DoubleComplex) d) {
    const double r = (x.x * y.x) + d.x, i = (x.x * y.y) + d.y;
    return LOCKSTEP_MAKE_COMPLEX(DoubleComplex)(-(x.y * y.y) + r, (x.y * y.x) + i);
}
#undef LOCKSTEP_COMPLEX

#ifdef __cplusplus
}
#endif

#endif
