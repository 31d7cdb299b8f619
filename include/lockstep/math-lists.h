/* The C++ math functions that device code has, by shape: lists that math-declarations.h and math-overloads.h
 * go through. X gets the name, and the result's type before it where that is not the argument's. */
#ifndef LOCKSTEP_MATH_LISTS_H
#define LOCKSTEP_MATH_LISTS_H

/* Of one number, with a result of its type */
#define LOCKSTEP_MATH_1(X)                                                                                  \
    X(acos)                                                                                                 \
    X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) \
        X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint)   \
            X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)

/* Of one number, to an integer */
#define LOCKSTEP_MATH_TO_INTEGER(X) \
    X(int, ilogb) X(long, lrint) X(long, lround) X(long long, llrint) X(long long, llround)

/* Of two numbers */
#define LOCKSTEP_MATH_2(X) \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

/* What C has as macros */
#define LOCKSTEP_MATH_TEST_1(X) X(isfinite) X(isinf) X(isnan) X(isnormal) X(signbit)
#define LOCKSTEP_MATH_TEST_2(X) \
    X(isgreater) X(isgreaterequal) X(isless) X(islessequal) X(islessgreater) X(isunordered)

/* The others, each of its own shape */
#define LOCKSTEP_MATH_REST(X)                                                                           \
    X(abs)                                                                                              \
    X(labs) X(llabs) X(fma) X(fpclassify) X(frexp) X(ldexp) X(modf) X(nan) X(nanf) X(remquo) X(scalbln) \
        X(scalbn)

/* Those whose float form has a name of its own: with them in std, std::sinf is device code too. */
#define LOCKSTEP_MATH_SUFFIXED_REST(X) X(fma) X(frexp) X(ldexp) X(modf) X(remquo) X(scalbln) X(scalbn)

#endif
