/* The functions of cuBLAS that have sizes, included by cublas_api.h once for `int` and once for `int64_t`:
 * LOCKSTEP_INT is the type of sizes, LOCKSTEP_FN(name) the function's name. A group of functions is a macro
 * over the letter in their names and the type of numbers; docs/cublas.md lists what is there. */

#define LOCKSTEP_HANDLE cublasHandle_t handle
#define LOCKSTEP_N LOCKSTEP_INT n
#define LOCKSTEP_IN(T, a) const T *a, LOCKSTEP_INT inc##a
#define LOCKSTEP_INOUT(T, a) T *a, LOCKSTEP_INT inc##a
#define LOCKSTEP_MATRIX(T, A, ld) const T *A, LOCKSTEP_INT ld
#define LOCKSTEP_RESULT_MATRIX(T, A, ld) T *A, LOCKSTEP_INT ld
#define LOCKSTEP_TRIANGLE cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag

/* Level 1 */

#define LOCKSTEP_CUBLAS_VECTORS(L, T)                                                                 \
    cublasStatus_t LOCKSTEP_FN(cublas##L##axpy_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, const T* alpha,       \
                                                   LOCKSTEP_IN(T, x), LOCKSTEP_INOUT(T, y));          \
    cublasStatus_t LOCKSTEP_FN(cublas##L##copy_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_IN(T, x),    \
                                                   LOCKSTEP_INOUT(T, y));                             \
    cublasStatus_t LOCKSTEP_FN(cublas##L##swap_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_INOUT(T, x), \
                                                   LOCKSTEP_INOUT(T, y));                             \
    cublasStatus_t LOCKSTEP_FN(cublas##L##scal_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, const T* alpha,       \
                                                   LOCKSTEP_INOUT(T, x));
LOCKSTEP_CUBLAS_VECTORS(S, float)
LOCKSTEP_CUBLAS_VECTORS(D, double)
LOCKSTEP_CUBLAS_VECTORS(C, cuComplex)
LOCKSTEP_CUBLAS_VECTORS(Z, cuDoubleComplex)
cublasStatus_t LOCKSTEP_FN(cublasCsscal_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, const float* alpha,
                                            LOCKSTEP_INOUT(cuComplex, x));
cublasStatus_t LOCKSTEP_FN(cublasZdscal_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, const double* alpha,
                                            LOCKSTEP_INOUT(cuDoubleComplex, x));

/* The first letters are those of the result and the vector: Scasum. */
#define LOCKSTEP_CUBLAS_SIZES(L, l, T, R)                                                           \
    cublasStatus_t LOCKSTEP_FN(cublas##L##asum_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_IN(T, x),  \
                                                   R * result);                                     \
    cublasStatus_t LOCKSTEP_FN(cublas##L##nrm2_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_IN(T, x),  \
                                                   R * result);                                     \
    cublasStatus_t LOCKSTEP_FN(cublasI##l##amax_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_IN(T, x), \
                                                    LOCKSTEP_INT * result);                         \
    cublasStatus_t LOCKSTEP_FN(cublasI##l##amin_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_IN(T, x), \
                                                    LOCKSTEP_INT * result);
LOCKSTEP_CUBLAS_SIZES(S, s, float, float)
LOCKSTEP_CUBLAS_SIZES(D, d, double, double)
LOCKSTEP_CUBLAS_SIZES(Sc, c, cuComplex, float)
LOCKSTEP_CUBLAS_SIZES(Dz, z, cuDoubleComplex, double)

#define LOCKSTEP_CUBLAS_DOT(name, T)                                                                    \
    cublasStatus_t LOCKSTEP_FN(name)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_IN(T, x), LOCKSTEP_IN(T, y), \
                                     T * result);
LOCKSTEP_CUBLAS_DOT(cublasSdot_v2, float)
LOCKSTEP_CUBLAS_DOT(cublasDdot_v2, double)
LOCKSTEP_CUBLAS_DOT(cublasCdotu_v2, cuComplex)
LOCKSTEP_CUBLAS_DOT(cublasCdotc_v2, cuComplex)
LOCKSTEP_CUBLAS_DOT(cublasZdotu_v2, cuDoubleComplex)
LOCKSTEP_CUBLAS_DOT(cublasZdotc_v2, cuDoubleComplex)

#define LOCKSTEP_CUBLAS_ROT(name, T, C, S)                                              \
    cublasStatus_t LOCKSTEP_FN(name)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_INOUT(T, x), \
                                     LOCKSTEP_INOUT(T, y), const C* c, const S* s);
LOCKSTEP_CUBLAS_ROT(cublasSrot_v2, float, float, float)
LOCKSTEP_CUBLAS_ROT(cublasDrot_v2, double, double, double)
LOCKSTEP_CUBLAS_ROT(cublasCrot_v2, cuComplex, float, cuComplex)
LOCKSTEP_CUBLAS_ROT(cublasCsrot_v2, cuComplex, float, float)
LOCKSTEP_CUBLAS_ROT(cublasZrot_v2, cuDoubleComplex, double, cuDoubleComplex)
LOCKSTEP_CUBLAS_ROT(cublasZdrot_v2, cuDoubleComplex, double, double)
cublasStatus_t LOCKSTEP_FN(cublasSrotm_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_INOUT(float, x),
                                           LOCKSTEP_INOUT(float, y), const float* param);
cublasStatus_t LOCKSTEP_FN(cublasDrotm_v2)(LOCKSTEP_HANDLE, LOCKSTEP_N, LOCKSTEP_INOUT(double, x),
                                           LOCKSTEP_INOUT(double, y), const double* param);

/* Level 2 */

#define LOCKSTEP_CUBLAS_LEVEL2(L, T)                                                                         \
    cublasStatus_t LOCKSTEP_FN(cublas##L##gemv_v2)(LOCKSTEP_HANDLE, cublasOperation_t trans, LOCKSTEP_INT m, \
                                                   LOCKSTEP_N, const T* alpha, LOCKSTEP_MATRIX(T, A, lda),   \
                                                   LOCKSTEP_IN(T, x), const T* beta, LOCKSTEP_INOUT(T, y));  \
    cublasStatus_t LOCKSTEP_FN(cublas##L##gbmv_v2)(LOCKSTEP_HANDLE, cublasOperation_t trans, LOCKSTEP_INT m, \
                                                   LOCKSTEP_N, LOCKSTEP_INT kl, LOCKSTEP_INT ku,             \
                                                   const T* alpha, LOCKSTEP_MATRIX(T, A, lda),               \
                                                   LOCKSTEP_IN(T, x), const T* beta, LOCKSTEP_INOUT(T, y));  \
    cublasStatus_t LOCKSTEP_FN(cublas##L##symv_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,       \
                                                   const T* alpha, LOCKSTEP_MATRIX(T, A, lda),               \
                                                   LOCKSTEP_IN(T, x), const T* beta, LOCKSTEP_INOUT(T, y));  \
    cublasStatus_t LOCKSTEP_FN(cublas##L##syr_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,        \
                                                  const T* alpha, LOCKSTEP_IN(T, x),                         \
                                                  LOCKSTEP_RESULT_MATRIX(T, A, lda));                        \
    cublasStatus_t LOCKSTEP_FN(cublas##L##syr2_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,       \
                                                   const T* alpha, LOCKSTEP_IN(T, x), LOCKSTEP_IN(T, y),     \
                                                   LOCKSTEP_RESULT_MATRIX(T, A, lda));                       \
    cublasStatus_t LOCKSTEP_FN(cublas##L##trmv_v2)(LOCKSTEP_HANDLE, LOCKSTEP_TRIANGLE, LOCKSTEP_N,           \
                                                   LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_INOUT(T, x));        \
    cublasStatus_t LOCKSTEP_FN(cublas##L##trsv_v2)(LOCKSTEP_HANDLE, LOCKSTEP_TRIANGLE, LOCKSTEP_N,           \
                                                   LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_INOUT(T, x));        \
    cublasStatus_t LOCKSTEP_FN(cublas##L##tbmv_v2)(LOCKSTEP_HANDLE, LOCKSTEP_TRIANGLE, LOCKSTEP_N,           \
                                                   LOCKSTEP_INT k, LOCKSTEP_MATRIX(T, A, lda),               \
                                                   LOCKSTEP_INOUT(T, x));                                    \
    cublasStatus_t LOCKSTEP_FN(cublas##L##tbsv_v2)(LOCKSTEP_HANDLE, LOCKSTEP_TRIANGLE, LOCKSTEP_N,           \
                                                   LOCKSTEP_INT k, LOCKSTEP_MATRIX(T, A, lda),               \
                                                   LOCKSTEP_INOUT(T, x));                                    \
    cublasStatus_t LOCKSTEP_FN(cublas##L##tpmv_v2)(LOCKSTEP_HANDLE, LOCKSTEP_TRIANGLE, LOCKSTEP_N,           \
                                                   const T* AP, LOCKSTEP_INOUT(T, x));                       \
    cublasStatus_t LOCKSTEP_FN(cublas##L##tpsv_v2)(LOCKSTEP_HANDLE, LOCKSTEP_TRIANGLE, LOCKSTEP_N,           \
                                                   const T* AP, LOCKSTEP_INOUT(T, x));                       \
    cublasStatus_t LOCKSTEP_FN(cublas##L##gemvBatched)(                                                      \
        LOCKSTEP_HANDLE, cublasOperation_t trans, LOCKSTEP_INT m, LOCKSTEP_N, const T* alpha,                \
        const T* const A[], LOCKSTEP_INT lda, const T* const x[], LOCKSTEP_INT incx, const T* beta,          \
        T* const y[], LOCKSTEP_INT incy, LOCKSTEP_INT batchCount);                                           \
    cublasStatus_t LOCKSTEP_FN(cublas##L##gemvStridedBatched)(                                               \
        LOCKSTEP_HANDLE, cublasOperation_t trans, LOCKSTEP_INT m, LOCKSTEP_N, const T* alpha,                \
        LOCKSTEP_MATRIX(T, A, lda), long long int strideA, LOCKSTEP_IN(T, x), long long int stridex,         \
        const T* beta, LOCKSTEP_INOUT(T, y), long long int stridey, LOCKSTEP_INT batchCount);
LOCKSTEP_CUBLAS_LEVEL2(S, float)
LOCKSTEP_CUBLAS_LEVEL2(D, double)
LOCKSTEP_CUBLAS_LEVEL2(C, cuComplex)
LOCKSTEP_CUBLAS_LEVEL2(Z, cuDoubleComplex)

/* What real and complex numbers have under different names: symmetric and Hermitian, banded and packed. */
#define LOCKSTEP_CUBLAS_GER(name, T)                                                              \
    cublasStatus_t LOCKSTEP_FN(name)(LOCKSTEP_HANDLE, LOCKSTEP_INT m, LOCKSTEP_N, const T* alpha, \
                                     LOCKSTEP_IN(T, x), LOCKSTEP_IN(T, y),                        \
                                     LOCKSTEP_RESULT_MATRIX(T, A, lda));
LOCKSTEP_CUBLAS_GER(cublasSger_v2, float)
LOCKSTEP_CUBLAS_GER(cublasDger_v2, double)
LOCKSTEP_CUBLAS_GER(cublasCgeru_v2, cuComplex)
LOCKSTEP_CUBLAS_GER(cublasCgerc_v2, cuComplex)
LOCKSTEP_CUBLAS_GER(cublasZgeru_v2, cuDoubleComplex)
LOCKSTEP_CUBLAS_GER(cublasZgerc_v2, cuDoubleComplex)

#define LOCKSTEP_CUBLAS_SELF_ADJOINT(L, sb, sp, T, R)                                                      \
    cublasStatus_t LOCKSTEP_FN(cublas##L##sb##mv_v2)(                                                      \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N, LOCKSTEP_INT k, const T* alpha,                \
        LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_IN(T, x), const T* beta, LOCKSTEP_INOUT(T, y));               \
    cublasStatus_t LOCKSTEP_FN(cublas##L##sp##mv_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,   \
                                                     const T* alpha, const T* AP, LOCKSTEP_IN(T, x),       \
                                                     const T* beta, LOCKSTEP_INOUT(T, y));                 \
    cublasStatus_t LOCKSTEP_FN(cublas##L##sp##r_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,    \
                                                    const R* alpha, LOCKSTEP_IN(T, x), T* AP);             \
    cublasStatus_t LOCKSTEP_FN(cublas##L##sp##r2_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,   \
                                                     const T* alpha, LOCKSTEP_IN(T, x), LOCKSTEP_IN(T, y), \
                                                     T* AP);
LOCKSTEP_CUBLAS_SELF_ADJOINT(S, sb, sp, float, float)
LOCKSTEP_CUBLAS_SELF_ADJOINT(D, sb, sp, double, double)
LOCKSTEP_CUBLAS_SELF_ADJOINT(C, hb, hp, cuComplex, float)
LOCKSTEP_CUBLAS_SELF_ADJOINT(Z, hb, hp, cuDoubleComplex, double)

#define LOCKSTEP_CUBLAS_HERMITIAN(L, T, R)                                                                  \
    cublasStatus_t LOCKSTEP_FN(cublas##L##hemv_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,      \
                                                   const T* alpha, LOCKSTEP_MATRIX(T, A, lda),              \
                                                   LOCKSTEP_IN(T, x), const T* beta, LOCKSTEP_INOUT(T, y)); \
    cublasStatus_t LOCKSTEP_FN(cublas##L##her_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,       \
                                                  const R* alpha, LOCKSTEP_IN(T, x),                        \
                                                  LOCKSTEP_RESULT_MATRIX(T, A, lda));                       \
    cublasStatus_t LOCKSTEP_FN(cublas##L##her2_v2)(LOCKSTEP_HANDLE, cublasFillMode_t uplo, LOCKSTEP_N,      \
                                                   const T* alpha, LOCKSTEP_IN(T, x), LOCKSTEP_IN(T, y),    \
                                                   LOCKSTEP_RESULT_MATRIX(T, A, lda));                      \
    cublasStatus_t LOCKSTEP_FN(cublas##L##hemm_v2)(                                                         \
        LOCKSTEP_HANDLE, cublasSideMode_t side, cublasFillMode_t uplo, LOCKSTEP_INT m, LOCKSTEP_N,          \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const T* beta,              \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                 \
    cublasStatus_t LOCKSTEP_FN(cublas##L##herk_v2)(                                                         \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, LOCKSTEP_N, LOCKSTEP_INT k,        \
        const R* alpha, LOCKSTEP_MATRIX(T, A, lda), const R* beta, LOCKSTEP_RESULT_MATRIX(T, C, ldc));      \
    cublasStatus_t LOCKSTEP_FN(cublas##L##her2k_v2)(                                                        \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, LOCKSTEP_N, LOCKSTEP_INT k,        \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const R* beta,              \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                 \
    cublasStatus_t LOCKSTEP_FN(cublas##L##herkx)(                                                           \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, LOCKSTEP_N, LOCKSTEP_INT k,        \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const R* beta,              \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));
LOCKSTEP_CUBLAS_HERMITIAN(C, cuComplex, float)
LOCKSTEP_CUBLAS_HERMITIAN(Z, cuDoubleComplex, double)

/* Level 3 */

#define LOCKSTEP_CUBLAS_GEMM(name, batched, strided, T)                                                      \
    cublasStatus_t LOCKSTEP_FN(name)(LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb,    \
                                     LOCKSTEP_INT m, LOCKSTEP_N, LOCKSTEP_INT k, const T* alpha,             \
                                     LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const T* beta,  \
                                     LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                     \
    cublasStatus_t LOCKSTEP_FN(batched)(                                                                     \
        LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb, LOCKSTEP_INT m, LOCKSTEP_N,     \
        LOCKSTEP_INT k, const T* alpha, const T* const A[], LOCKSTEP_INT lda, const T* const B[],            \
        LOCKSTEP_INT ldb, const T* beta, T* const C[], LOCKSTEP_INT ldc, LOCKSTEP_INT batchCount);           \
    cublasStatus_t LOCKSTEP_FN(strided)(                                                                     \
        LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb, LOCKSTEP_INT m, LOCKSTEP_N,     \
        LOCKSTEP_INT k, const T* alpha, LOCKSTEP_MATRIX(T, A, lda), long long int strideA,                   \
        LOCKSTEP_MATRIX(T, B, ldb), long long int strideB, const T* beta, LOCKSTEP_RESULT_MATRIX(T, C, ldc), \
        long long int strideC, LOCKSTEP_INT batchCount);
LOCKSTEP_CUBLAS_GEMM(cublasSgemm_v2, cublasSgemmBatched, cublasSgemmStridedBatched, float)
LOCKSTEP_CUBLAS_GEMM(cublasDgemm_v2, cublasDgemmBatched, cublasDgemmStridedBatched, double)
LOCKSTEP_CUBLAS_GEMM(cublasCgemm_v2, cublasCgemmBatched, cublasCgemmStridedBatched, cuComplex)
LOCKSTEP_CUBLAS_GEMM(cublasZgemm_v2, cublasZgemmBatched, cublasZgemmStridedBatched, cuDoubleComplex)
LOCKSTEP_CUBLAS_GEMM(cublasCgemm3m, cublasCgemm3mBatched, cublasCgemm3mStridedBatched, cuComplex)
#ifdef __cplusplus
LOCKSTEP_CUBLAS_GEMM(cublasHgemm, cublasHgemmBatched, cublasHgemmStridedBatched, __half)
#endif

#define LOCKSTEP_TYPED(A, ld) const void *A, cudaDataType A##type, LOCKSTEP_INT ld
cublasStatus_t LOCKSTEP_FN(cublasGemmEx)(LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb,
                                         LOCKSTEP_INT m, LOCKSTEP_N, LOCKSTEP_INT k, const void* alpha,
                                         LOCKSTEP_TYPED(A, lda), LOCKSTEP_TYPED(B, ldb), const void* beta,
                                         void* C, cudaDataType Ctype, LOCKSTEP_INT ldc,
                                         cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t LOCKSTEP_FN(cublasGemmBatchedEx)(LOCKSTEP_HANDLE, cublasOperation_t transa,
                                                cublasOperation_t transb, LOCKSTEP_INT m, LOCKSTEP_N,
                                                LOCKSTEP_INT k, const void* alpha, const void* const A[],
                                                cudaDataType Atype, LOCKSTEP_INT lda, const void* const B[],
                                                cudaDataType Btype, LOCKSTEP_INT ldb, const void* beta,
                                                void* const C[], cudaDataType Ctype, LOCKSTEP_INT ldc,
                                                LOCKSTEP_INT batchCount, cublasComputeType_t computeType,
                                                cublasGemmAlgo_t algo);
cublasStatus_t LOCKSTEP_FN(cublasGemmStridedBatchedEx)(
    LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb, LOCKSTEP_INT m, LOCKSTEP_N,
    LOCKSTEP_INT k, const void* alpha, LOCKSTEP_TYPED(A, lda), long long int strideA, LOCKSTEP_TYPED(B, ldb),
    long long int strideB, const void* beta, void* C, cudaDataType Ctype, LOCKSTEP_INT ldc,
    long long int strideC, LOCKSTEP_INT batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
#define LOCKSTEP_CUBLAS_GEMM_EX(name, T)                                                                     \
    cublasStatus_t LOCKSTEP_FN(name)(LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb,    \
                                     LOCKSTEP_INT m, LOCKSTEP_N, LOCKSTEP_INT k, const T* alpha,             \
                                     LOCKSTEP_TYPED(A, lda), LOCKSTEP_TYPED(B, ldb), const T* beta, void* C, \
                                     cudaDataType Ctype, LOCKSTEP_INT ldc);
LOCKSTEP_CUBLAS_GEMM_EX(cublasSgemmEx, float)
LOCKSTEP_CUBLAS_GEMM_EX(cublasCgemmEx, cuComplex)

#define LOCKSTEP_CUBLAS_LEVEL3(L, T)                                                                       \
    cublasStatus_t LOCKSTEP_FN(cublas##L##symm_v2)(                                                        \
        LOCKSTEP_HANDLE, cublasSideMode_t side, cublasFillMode_t uplo, LOCKSTEP_INT m, LOCKSTEP_N,         \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const T* beta,             \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                \
    cublasStatus_t LOCKSTEP_FN(cublas##L##syrk_v2)(                                                        \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, LOCKSTEP_N, LOCKSTEP_INT k,       \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), const T* beta, LOCKSTEP_RESULT_MATRIX(T, C, ldc));     \
    cublasStatus_t LOCKSTEP_FN(cublas##L##syr2k_v2)(                                                       \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, LOCKSTEP_N, LOCKSTEP_INT k,       \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const T* beta,             \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                \
    cublasStatus_t LOCKSTEP_FN(cublas##L##syrkx)(                                                          \
        LOCKSTEP_HANDLE, cublasFillMode_t uplo, cublasOperation_t trans, LOCKSTEP_N, LOCKSTEP_INT k,       \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb), const T* beta,             \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                \
    cublasStatus_t LOCKSTEP_FN(cublas##L##trmm_v2)(                                                        \
        LOCKSTEP_HANDLE, cublasSideMode_t side, LOCKSTEP_TRIANGLE, LOCKSTEP_INT m, LOCKSTEP_N,             \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_MATRIX(T, B, ldb),                            \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                \
    cublasStatus_t LOCKSTEP_FN(cublas##L##trsm_v2)(                                                        \
        LOCKSTEP_HANDLE, cublasSideMode_t side, LOCKSTEP_TRIANGLE, LOCKSTEP_INT m, LOCKSTEP_N,             \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_RESULT_MATRIX(T, B, ldb));                    \
    cublasStatus_t LOCKSTEP_FN(cublas##L##trsmBatched)(                                                    \
        LOCKSTEP_HANDLE, cublasSideMode_t side, LOCKSTEP_TRIANGLE, LOCKSTEP_INT m, LOCKSTEP_N,             \
        const T* alpha, const T* const A[], LOCKSTEP_INT lda, T* const B[], LOCKSTEP_INT ldb,              \
        LOCKSTEP_INT batchCount);                                                                          \
    cublasStatus_t LOCKSTEP_FN(cublas##L##geam)(                                                           \
        LOCKSTEP_HANDLE, cublasOperation_t transa, cublasOperation_t transb, LOCKSTEP_INT m, LOCKSTEP_N,   \
        const T* alpha, LOCKSTEP_MATRIX(T, A, lda), const T* beta, LOCKSTEP_MATRIX(T, B, ldb),             \
        LOCKSTEP_RESULT_MATRIX(T, C, ldc));                                                                \
    cublasStatus_t LOCKSTEP_FN(cublas##L##dgmm)(LOCKSTEP_HANDLE, cublasSideMode_t mode, LOCKSTEP_INT m,    \
                                                LOCKSTEP_N, LOCKSTEP_MATRIX(T, A, lda), LOCKSTEP_IN(T, x), \
                                                LOCKSTEP_RESULT_MATRIX(T, C, ldc));
LOCKSTEP_CUBLAS_LEVEL3(S, float)
LOCKSTEP_CUBLAS_LEVEL3(D, double)
LOCKSTEP_CUBLAS_LEVEL3(C, cuComplex)
LOCKSTEP_CUBLAS_LEVEL3(Z, cuDoubleComplex)

/* Data between host and device */

cublasStatus_t LOCKSTEP_FN(cublasSetVector)(LOCKSTEP_N, LOCKSTEP_INT elemSize, const void* x,
                                            LOCKSTEP_INT incx, void* y, LOCKSTEP_INT incy);
cublasStatus_t LOCKSTEP_FN(cublasGetVector)(LOCKSTEP_N, LOCKSTEP_INT elemSize, const void* x,
                                            LOCKSTEP_INT incx, void* y, LOCKSTEP_INT incy);
cublasStatus_t LOCKSTEP_FN(cublasSetVectorAsync)(LOCKSTEP_N, LOCKSTEP_INT elemSize, const void* x,
                                                 LOCKSTEP_INT incx, void* y, LOCKSTEP_INT incy,
                                                 cudaStream_t stream);
cublasStatus_t LOCKSTEP_FN(cublasGetVectorAsync)(LOCKSTEP_N, LOCKSTEP_INT elemSize, const void* x,
                                                 LOCKSTEP_INT incx, void* y, LOCKSTEP_INT incy,
                                                 cudaStream_t stream);
cublasStatus_t LOCKSTEP_FN(cublasSetMatrix)(LOCKSTEP_INT rows, LOCKSTEP_INT cols, LOCKSTEP_INT elemSize,
                                            const void* A, LOCKSTEP_INT lda, void* B, LOCKSTEP_INT ldb);
cublasStatus_t LOCKSTEP_FN(cublasGetMatrix)(LOCKSTEP_INT rows, LOCKSTEP_INT cols, LOCKSTEP_INT elemSize,
                                            const void* A, LOCKSTEP_INT lda, void* B, LOCKSTEP_INT ldb);
cublasStatus_t LOCKSTEP_FN(cublasSetMatrixAsync)(LOCKSTEP_INT rows, LOCKSTEP_INT cols, LOCKSTEP_INT elemSize,
                                                 const void* A, LOCKSTEP_INT lda, void* B, LOCKSTEP_INT ldb,
                                                 cudaStream_t stream);
cublasStatus_t LOCKSTEP_FN(cublasGetMatrixAsync)(LOCKSTEP_INT rows, LOCKSTEP_INT cols, LOCKSTEP_INT elemSize,
                                                 const void* A, LOCKSTEP_INT lda, void* B, LOCKSTEP_INT ldb,
                                                 cudaStream_t stream);

#undef LOCKSTEP_HANDLE
#undef LOCKSTEP_N
#undef LOCKSTEP_IN
#undef LOCKSTEP_INOUT
#undef LOCKSTEP_MATRIX
#undef LOCKSTEP_RESULT_MATRIX
#undef LOCKSTEP_TRIANGLE
#undef LOCKSTEP_TYPED
#undef LOCKSTEP_CUBLAS_VECTORS
#undef LOCKSTEP_CUBLAS_SIZES
#undef LOCKSTEP_CUBLAS_DOT
#undef LOCKSTEP_CUBLAS_ROT
#undef LOCKSTEP_CUBLAS_LEVEL2
#undef LOCKSTEP_CUBLAS_GER
#undef LOCKSTEP_CUBLAS_SELF_ADJOINT
#undef LOCKSTEP_CUBLAS_HERMITIAN
#undef LOCKSTEP_CUBLAS_GEMM
#undef LOCKSTEP_CUBLAS_GEMM_EX
#undef LOCKSTEP_CUBLAS_LEVEL3
