/* Complex numbers of CUDA's C interface: pairs of floats or doubles. */
#ifndef LOCKSTEP_CUCOMPLEX_H
#define LOCKSTEP_CUCOMPLEX_H
#define CU_COMPLEX_H_ /* programs ask for CUDA's own include guard, too */
#include <math.h>

#include "vector_types.h"
#if defined(__CUDACC__) || defined(__CUDA__)
#include "cuda_runtime.h"
#define LOCKSTEP_COMPLEX __host__ __device__ static __inline__
#else
#define LOCKSTEP_COMPLEX static __inline__ __attribute__((unused))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Division scales by the larger part and the modulus by the larger of both, so that squares neither overflow
 * nor vanish. */
#define LOCKSTEP_COMPLEX_FUNCTIONS(Type, Real, suffix, prefix, absolute, root)                           \
    LOCKSTEP_COMPLEX Real cuCreal##suffix(Type a) { return a.x; }                                        \
    LOCKSTEP_COMPLEX Real cuCimag##suffix(Type a) { return a.y; }                                        \
    LOCKSTEP_COMPLEX Type make_##prefix(Real re, Real im) {                                              \
        Type result;                                                                                     \
        result.x = re;                                                                                   \
        result.y = im;                                                                                   \
        return result;                                                                                   \
    }                                                                                                    \
    LOCKSTEP_COMPLEX Type cuConj##suffix(Type a) { return make_##prefix(a.x, -a.y); }                    \
    LOCKSTEP_COMPLEX Type cuCadd##suffix(Type a, Type b) { return make_##prefix(a.x + b.x, a.y + b.y); } \
    LOCKSTEP_COMPLEX Type cuCsub##suffix(Type a, Type b) { return make_##prefix(a.x - b.x, a.y - b.y); } \
    LOCKSTEP_COMPLEX Type cuCmul##suffix(Type a, Type b) {                                               \
        return make_##prefix(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                              \
    }                                                                                                    \
    LOCKSTEP_COMPLEX Type cuCdiv##suffix(Type a, Type b) {                                               \
        const Real scale = (Real)1 / (absolute(b.x) + absolute(b.y));                                    \
        const Real ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale;               \
        const Real over = (Real)1 / (br * br + bi * bi);                                                 \
        return make_##prefix((ar * br + ai * bi) * over, (ai * br - ar * bi) * over);                    \
    }                                                                                                    \
    LOCKSTEP_COMPLEX Real cuCabs##suffix(Type a) {                                                       \
        const Real x = absolute(a.x), y = absolute(a.y);                                                 \
        const Real larger = x > y ? x : y, smaller = x > y ? y : x;                                      \
        const Real ratio = larger > 0 ? smaller / larger : smaller;                                      \
        if (isinf(x) || isinf(y)) return x + y;                                                          \
        return larger * root((Real)1 + ratio * ratio);                                                   \
    }                                                                                                    \
    LOCKSTEP_COMPLEX Type cuCfma##suffix(Type a, Type b, Type c) {                                       \
        Real re = a.x * b.x + c.x, im = a.x * b.y + c.y;                                                 \
        re = -(a.y * b.y) + re;                                                                          \
        im = a.y * b.x + im;                                                                             \
        return make_##prefix(re, im);                                                                    \
    }
LOCKSTEP_COMPLEX_FUNCTIONS(cuFloatComplex, float, f, cuFloatComplex, fabsf, sqrtf)
LOCKSTEP_COMPLEX_FUNCTIONS(cuDoubleComplex, double, , cuDoubleComplex, fabs, sqrt)
#undef LOCKSTEP_COMPLEX_FUNCTIONS

LOCKSTEP_COMPLEX cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
LOCKSTEP_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
    return make_cuDoubleComplex(a.x, a.y);
}
LOCKSTEP_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
#undef LOCKSTEP_COMPLEX

#ifdef __cplusplus
}
#endif

#endif
