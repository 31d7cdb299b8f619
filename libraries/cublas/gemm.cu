// gemm, its batches, for float, double and complex.
#include "cublas/gemm.h"

namespace lockstep::cublas {

#define LOCKSTEP_DEFINE_ONE_TYPE(T)                                                         \
    LOCKSTEP_GEMM_OF_ONE_TYPE(T) {                                                          \
        LOCKSTEP_REQUIRE_HANDLE();                                                          \
        LOCKSTEP_REQUIRE(alpha&& beta);                                                     \
        return gemm(handle, transa, transb, m, n, k, scalar(handle, alpha), A, lda, B, ldb, \
                    scalar(handle, beta), C, ldc, batches);                                 \
    }
LOCKSTEP_DEFINE_ONE_TYPE(float)
LOCKSTEP_DEFINE_ONE_TYPE(double)
LOCKSTEP_DEFINE_ONE_TYPE(Complex<float>)
LOCKSTEP_DEFINE_ONE_TYPE(Complex<double>)

}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_GEMM(name, batched, strided, T, Int, suffix)                                        \
    cublasStatus_t name##suffix(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                Int m, Int n, Int k, const T* alpha, const T* A, Int lda, const T* B,       \
                                Int ldb, const T* beta, T* C, Int ldc) {                                    \
        return gemm_of(handle, transa, transb, m, n, k, ours(alpha), single(ours(A)), lda, single(ours(B)), \
                       ldb, ours(beta), single(ours(C)), ldc, 1);                                           \
    }                                                                                                       \
    cublasStatus_t batched##suffix(cublasHandle_t handle, cublasOperation_t transa,                         \
                                   cublasOperation_t transb, Int m, Int n, Int k, const T* alpha,           \
                                   const T* const A[], Int lda, const T* const B[], Int ldb, const T* beta, \
                                   T* const C[], Int ldc, Int batchCount) {                                 \
        using O = Ours<T>;                                                                                  \
        return gemm_of(handle, transa, transb, m, n, k, ours(alpha),                                        \
                       Batch<const O>{nullptr, reinterpret_cast<const O* const*>(A), 0}, lda,               \
                       Batch<const O>{nullptr, reinterpret_cast<const O* const*>(B), 0}, ldb, ours(beta),   \
                       Batch<O>{nullptr, reinterpret_cast<O* const*>(C), 0}, ldc, batchCount);              \
    }                                                                                                       \
    cublasStatus_t strided##suffix(                                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,     \
        const T* alpha, const T* A, Int lda, long long strideA, const T* B, Int ldb, long long strideB,     \
        const T* beta, T* C, Int ldc, long long strideC, Int batchCount) {                                  \
        using O = Ours<T>;                                                                                  \
        return gemm_of(handle, transa, transb, m, n, k, ours(alpha),                                        \
                       Batch<const O>{ours(A), nullptr, strideA}, lda,                                      \
                       Batch<const O>{ours(B), nullptr, strideB}, ldb, ours(beta),                          \
                       Batch<O>{ours(C), nullptr, strideC}, ldc, batchCount);                               \
    }
// (gemm3m may multiply complex numbers with three multiplications instead of four: ours does not.)
#define LOCKSTEP_DEFINE(Int, suffix)                                                                         \
    LOCKSTEP_DEFINE_GEMM(cublasSgemm_v2, cublasSgemmBatched, cublasSgemmStridedBatched, float, Int, suffix)  \
    LOCKSTEP_DEFINE_GEMM(cublasDgemm_v2, cublasDgemmBatched, cublasDgemmStridedBatched, double, Int, suffix) \
    LOCKSTEP_DEFINE_GEMM(cublasCgemm_v2, cublasCgemmBatched, cublasCgemmStridedBatched, cuComplex, Int,      \
                         suffix)                                                                             \
    LOCKSTEP_DEFINE_GEMM(cublasZgemm_v2, cublasZgemmBatched, cublasZgemmStridedBatched, cuDoubleComplex,     \
                         Int, suffix)                                                                        \
    LOCKSTEP_DEFINE_GEMM(cublasCgemm3m, cublasCgemm3mBatched, cublasCgemm3mStridedBatched, cuComplex, Int,   \
                         suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_DEFINE_ONE_TYPE
#undef LOCKSTEP_DEFINE_GEMM
#undef LOCKSTEP_DEFINE
