/* The functions of cuBLAS's first interface: cublas.h declares them with LOCKSTEP_LEGACY(name, parameters,
 * arguments), and with LOCKSTEP_LEGACY_RESULT(type, …) those that return a number; the library defines them
 * as calls of the functions with handles, whose arguments the last part gives. */

#define LOCKSTEP_LEGACY_ANY(L, T)                                                                            \
    LOCKSTEP_LEGACY(L##scal, (int n, T alpha, T* x, int incx), (n, &alpha, x, incx))                         \
    LOCKSTEP_LEGACY(L##axpy, (int n, T alpha, const T* x, int incx, T* y, int incy),                         \
                    (n, &alpha, x, incx, y, incy))                                                           \
    LOCKSTEP_LEGACY(L##copy, (int n, const T* x, int incx, T* y, int incy), (n, x, incx, y, incy))           \
    LOCKSTEP_LEGACY(L##swap, (int n, T* x, int incx, T* y, int incy), (n, x, incx, y, incy))                 \
    LOCKSTEP_LEGACY(L##gemv,                                                                                 \
                    (char trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta,   \
                     T* y, int incy),                                                                        \
                    (operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy))                       \
    LOCKSTEP_LEGACY(L##gbmv,                                                                                 \
                    (char trans, int m, int n, int kl, int ku, T alpha, const T* A, int lda, const T* x,     \
                     int incx, T beta, T* y, int incy),                                                      \
                    (operation(trans), m, n, kl, ku, &alpha, A, lda, x, incx, &beta, y, incy))               \
    LOCKSTEP_LEGACY(L##trmv, (char uplo, char trans, char diag, int n, const T* A, int lda, T* x, int incx), \
                    (triangle(uplo), operation(trans), diagonal(diag), n, A, lda, x, incx))                  \
    LOCKSTEP_LEGACY(L##trsv, (char uplo, char trans, char diag, int n, const T* A, int lda, T* x, int incx), \
                    (triangle(uplo), operation(trans), diagonal(diag), n, A, lda, x, incx))                  \
    LOCKSTEP_LEGACY(L##tbmv,                                                                                 \
                    (char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x, int incx),   \
                    (triangle(uplo), operation(trans), diagonal(diag), n, k, A, lda, x, incx))               \
    LOCKSTEP_LEGACY(L##tbsv,                                                                                 \
                    (char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x, int incx),   \
                    (triangle(uplo), operation(trans), diagonal(diag), n, k, A, lda, x, incx))               \
    LOCKSTEP_LEGACY(L##tpmv, (char uplo, char trans, char diag, int n, const T* AP, T* x, int incx),         \
                    (triangle(uplo), operation(trans), diagonal(diag), n, AP, x, incx))                      \
    LOCKSTEP_LEGACY(L##tpsv, (char uplo, char trans, char diag, int n, const T* AP, T* x, int incx),         \
                    (triangle(uplo), operation(trans), diagonal(diag), n, AP, x, incx))                      \
    LOCKSTEP_LEGACY(L##gemm,                                                                                 \
                    (char transa, char transb, int m, int n, int k, T alpha, const T* A, int lda,            \
                     const T* B, int ldb, T beta, T* C, int ldc),                                            \
                    (operation(transa), operation(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc))  \
    LOCKSTEP_LEGACY(L##symm,                                                                                 \
                    (char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, int ldb,  \
                     T beta, T* C, int ldc),                                                                 \
                    (side_of(side), triangle(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc))            \
    LOCKSTEP_LEGACY(                                                                                         \
        L##syrk, (char uplo, char trans, int n, int k, T alpha, const T* A, int lda, T beta, T* C, int ldc), \
        (triangle(uplo), operation(trans), n, k, &alpha, A, lda, &beta, C, ldc))                             \
    LOCKSTEP_LEGACY(L##syr2k,                                                                                \
                    (char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, \
                     T beta, T* C, int ldc),                                                                 \
                    (triangle(uplo), operation(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc))         \
    LOCKSTEP_LEGACY(L##trmm,                                                                                 \
                    (char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* A,         \
                     int lda, T* B, int ldb),                                                                \
                    (side_of(side), triangle(uplo), operation(trans), diagonal(diag), m, n, &alpha, A, lda,  \
                     B, ldb, B, ldb))                                                                        \
    LOCKSTEP_LEGACY(                                                                                         \
        L##trsm,                                                                                             \
        (char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* A, int lda, T* B,      \
         int ldb),                                                                                           \
        (side_of(side), triangle(uplo), operation(trans), diagonal(diag), m, n, &alpha, A, lda, B, ldb))
LOCKSTEP_LEGACY_ANY(S, float)
LOCKSTEP_LEGACY_ANY(D, double)
LOCKSTEP_LEGACY_ANY(C, cuComplex)
LOCKSTEP_LEGACY_ANY(Z, cuDoubleComplex)
LOCKSTEP_LEGACY(Csscal, (int n, float alpha, cuComplex* x, int incx), (n, &alpha, x, incx))
LOCKSTEP_LEGACY(Zdscal, (int n, double alpha, cuDoubleComplex* x, int incx), (n, &alpha, x, incx))

#define LOCKSTEP_LEGACY_SIZES(L, l, T, R)                                                         \
    LOCKSTEP_LEGACY_RESULT(R, L##asum, (int n, const T* x, int incx), (n, x, incx, &result))      \
    LOCKSTEP_LEGACY_RESULT(R, L##nrm2, (int n, const T* x, int incx), (n, x, incx, &result))      \
    LOCKSTEP_LEGACY_RESULT(int, I##l##amax, (int n, const T* x, int incx), (n, x, incx, &result)) \
    LOCKSTEP_LEGACY_RESULT(int, I##l##amin, (int n, const T* x, int incx), (n, x, incx, &result))
LOCKSTEP_LEGACY_SIZES(S, s, float, float)
LOCKSTEP_LEGACY_SIZES(D, d, double, double)
LOCKSTEP_LEGACY_SIZES(Sc, c, cuComplex, float)
LOCKSTEP_LEGACY_SIZES(Dz, z, cuDoubleComplex, double)

#define LOCKSTEP_LEGACY_PRODUCTS(dot, ger, T)                                                                \
    LOCKSTEP_LEGACY_RESULT(T, dot, (int n, const T* x, int incx, const T* y, int incy),                      \
                           (n, x, incx, y, incy, &result))                                                   \
    LOCKSTEP_LEGACY(ger, (int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda), \
                    (m, n, &alpha, x, incx, y, incy, A, lda))
LOCKSTEP_LEGACY_PRODUCTS(Sdot, Sger, float)
LOCKSTEP_LEGACY_PRODUCTS(Ddot, Dger, double)
LOCKSTEP_LEGACY_PRODUCTS(Cdotu, Cgeru, cuComplex)
LOCKSTEP_LEGACY_PRODUCTS(Cdotc, Cgerc, cuComplex)
LOCKSTEP_LEGACY_PRODUCTS(Zdotu, Zgeru, cuDoubleComplex)
LOCKSTEP_LEGACY_PRODUCTS(Zdotc, Zgerc, cuDoubleComplex)

#define LOCKSTEP_LEGACY_ROTATIONS(L, T)                                               \
    LOCKSTEP_LEGACY(L##rot, (int n, T* x, int incx, T* y, int incy, T c, T s),        \
                    (n, x, incx, y, incy, &c, &s))                                    \
    LOCKSTEP_LEGACY(L##rotg, (T * a, T * b, T * c, T * s), (a, b, c, s))              \
    LOCKSTEP_LEGACY(L##rotm, (int n, T* x, int incx, T* y, int incy, const T* param), \
                    (n, x, incx, y, incy, param))                                     \
    LOCKSTEP_LEGACY(L##rotmg, (T * d1, T * d2, T * x1, const T* y1, T* param), (d1, d2, x1, y1, param))
LOCKSTEP_LEGACY_ROTATIONS(S, float)
LOCKSTEP_LEGACY_ROTATIONS(D, double)

/* Symmetric of real numbers, Hermitian of complex ones. */
#define LOCKSTEP_LEGACY_SELF_ADJOINT(symv, sbmv, spmv, syr, syr2, spr, spr2, T, R)                          \
    LOCKSTEP_LEGACY(                                                                                        \
        symv,                                                                                               \
        (char uplo, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta, T* y, int incy),     \
        (triangle(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy))                                       \
    LOCKSTEP_LEGACY(sbmv,                                                                                   \
                    (char uplo, int n, int k, T alpha, const T* A, int lda, const T* x, int incx, T beta,   \
                     T* y, int incy),                                                                       \
                    (triangle(uplo), n, k, &alpha, A, lda, x, incx, &beta, y, incy))                        \
    LOCKSTEP_LEGACY(spmv,                                                                                   \
                    (char uplo, int n, T alpha, const T* AP, const T* x, int incx, T beta, T* y, int incy), \
                    (triangle(uplo), n, &alpha, AP, x, incx, &beta, y, incy))                               \
    LOCKSTEP_LEGACY(syr, (char uplo, int n, R alpha, const T* x, int incx, T* A, int lda),                  \
                    (triangle(uplo), n, &alpha, x, incx, A, lda))                                           \
    LOCKSTEP_LEGACY(syr2,                                                                                   \
                    (char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda), \
                    (triangle(uplo), n, &alpha, x, incx, y, incy, A, lda))                                  \
    LOCKSTEP_LEGACY(spr, (char uplo, int n, R alpha, const T* x, int incx, T* AP),                          \
                    (triangle(uplo), n, &alpha, x, incx, AP))                                               \
    LOCKSTEP_LEGACY(spr2, (char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* AP),   \
                    (triangle(uplo), n, &alpha, x, incx, y, incy, AP))
LOCKSTEP_LEGACY_SELF_ADJOINT(Ssymv, Ssbmv, Sspmv, Ssyr, Ssyr2, Sspr, Sspr2, float, float)
LOCKSTEP_LEGACY_SELF_ADJOINT(Dsymv, Dsbmv, Dspmv, Dsyr, Dsyr2, Dspr, Dspr2, double, double)
LOCKSTEP_LEGACY_SELF_ADJOINT(Chemv, Chbmv, Chpmv, Cher, Cher2, Chpr, Chpr2, cuComplex, float)
LOCKSTEP_LEGACY_SELF_ADJOINT(Zhemv, Zhbmv, Zhpmv, Zher, Zher2, Zhpr, Zhpr2, cuDoubleComplex, double)

#define LOCKSTEP_LEGACY_HERMITIAN(L, T, R)                                                                   \
    LOCKSTEP_LEGACY(L##hemm,                                                                                 \
                    (char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, int ldb,  \
                     T beta, T* C, int ldc),                                                                 \
                    (side_of(side), triangle(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc))            \
    LOCKSTEP_LEGACY(                                                                                         \
        L##herk, (char uplo, char trans, int n, int k, R alpha, const T* A, int lda, R beta, T* C, int ldc), \
        (triangle(uplo), operation(trans), n, k, &alpha, A, lda, &beta, C, ldc))                             \
    LOCKSTEP_LEGACY(L##her2k,                                                                                \
                    (char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, \
                     R beta, T* C, int ldc),                                                                 \
                    (triangle(uplo), operation(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc))
LOCKSTEP_LEGACY_HERMITIAN(C, cuComplex, float)
LOCKSTEP_LEGACY_HERMITIAN(Z, cuDoubleComplex, double)

#undef LOCKSTEP_LEGACY_ANY
#undef LOCKSTEP_LEGACY_SIZES
#undef LOCKSTEP_LEGACY_PRODUCTS
#undef LOCKSTEP_LEGACY_ROTATIONS
#undef LOCKSTEP_LEGACY_SELF_ADJOINT
#undef LOCKSTEP_LEGACY_HERMITIAN
