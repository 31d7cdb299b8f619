// Level 2: matrices times vectors.
#include "cublas/matrix-vector.h"

namespace lockstep::cublas {
namespace {

template <class T>
Status gemv(cublasHandle_t handle, cublasOperation_t trans, std::int64_t m, std::int64_t n, const T* alpha,
            Batch<const T> A, std::int64_t lda, Batch<const T> x, std::int64_t incx, const T* beta,
            Batch<T> y, std::int64_t incy, std::int64_t batches) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_operation(trans));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0 && batches >= 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= m);
    LOCKSTEP_REQUIRE(incx != 0 && incy != 0);
    LOCKSTEP_REQUIRE(alpha && beta);
    LOCKSTEP_REQUIRE_SIZES(m, n, batches);
    if (m == 0 || n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    const auto a = scalar(handle, alpha), b = scalar(handle, beta);
    const bool straight = trans == CUBLAS_OP_N;
    const auto xs = vectors(x, straight ? n : m, incx);
    const auto ys = vectors(y, straight ? m : n, incy);
    const int rows = m, columns = n, count = batches;
    if (straight)
        return multiply_vector(handle, rows, a, General<T>{nullptr, 0, 1, lda, columns, rows, columns, false},
                               A, xs, b, ys, count);
    return launch(handle, matrix_vector_transposed<T>,
                  dim3(blocks_for(columns, columns_a_block, INT_MAX), 1, blocks_for(batches, 1)),
                  dim3(32, columns_a_block), rows, columns, a, A, lda, trans == CUBLAS_OP_C, xs, b, ys,
                  count);
}

template <class T>
Status gbmv(cublasHandle_t handle, cublasOperation_t trans, std::int64_t m, std::int64_t n, std::int64_t kl,
            std::int64_t ku, const T* alpha, const T* A, std::int64_t lda, const T* x, std::int64_t incx,
            const T* beta, T* y, std::int64_t incy) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_operation(trans));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0 && kl >= 0 && ku >= 0);
    LOCKSTEP_REQUIRE(lda >= kl + ku + 1);
    LOCKSTEP_REQUIRE(incx != 0 && incy != 0);
    LOCKSTEP_REQUIRE(alpha && beta);
    LOCKSTEP_REQUIRE_SIZES(m, n, kl, ku);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const bool straight = trans == CUBLAS_OP_N;
    General<T> matrix = {
        nullptr, ku, 1, lda - 1, static_cast<int>(n), static_cast<int>(kl), static_cast<int>(ku), false};
    if (!straight)
        matrix = {nullptr,
                  ku,
                  lda - 1,
                  1,
                  static_cast<int>(m),
                  static_cast<int>(ku),
                  static_cast<int>(kl),
                  trans == CUBLAS_OP_C};
    return multiply_vector(handle, straight ? m : n, scalar(handle, alpha), matrix, single(A),
                           vectors(single(x), straight ? n : m, incx), scalar(handle, beta),
                           vectors(single(y), straight ? m : n, incy), 1);
}

// symv, hemv, sbmv, hbmv, spmv, hpmv
template <class T, class Storage>
Status self_adjoint_mv(cublasHandle_t handle, cublasFillMode_t uplo, bool hermitian, std::int64_t n,
                       const T* alpha, const T* A, Storage storage, const T* x, std::int64_t incx,
                       const T* beta, T* y, std::int64_t incy) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_triangle(uplo));
    LOCKSTEP_REQUIRE(n >= 0);
    LOCKSTEP_REQUIRE(incx != 0 && incy != 0);
    LOCKSTEP_REQUIRE(alpha && beta);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    const SelfAdjoint<T, Storage> matrix = {nullptr, storage, static_cast<int>(n),
                                            uplo == CUBLAS_FILL_MODE_UPPER, hermitian};
    return multiply_vector(handle, n, scalar(handle, alpha), matrix, single(A), vectors(single(x), n, incx),
                           scalar(handle, beta), vectors(single(y), n, incy), 1);
}

// trmv, tbmv, tpmv: every row needs all of x, which is therefore copied.
template <class T, class Storage>
Status triangular_mv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                     cublasDiagType_t diag, std::int64_t n, const T* A, Storage storage, T* x,
                     std::int64_t incx) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_triangle(uplo) && valid_operation(trans) && valid_diagonal(diag));
    LOCKSTEP_REQUIRE(n >= 0);
    LOCKSTEP_REQUIRE(incx != 0);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    T* copied = static_cast<T*>(workspace(handle, n * sizeof(T)));
    if (!copied) return CUBLAS_STATUS_ALLOC_FAILED;
    const std::int64_t distance = incx < 0 ? -incx : incx;
    LOCKSTEP_TRY(status_of(cudaMemcpy2DAsync(copied, sizeof(T), x, distance * sizeof(T), sizeof(T), n,
                                             cudaMemcpyDeviceToDevice, handle->stream)));
    // The copy has x's elements in the order of memory.
    return multiply_vector(handle, n, constant(T(1)), triangular<T>(nullptr, storage, n, uplo, trans, diag),
                           single(A), vectors(single<const T>(copied), n, incx < 0 ? -1 : 1), constant(T(0)),
                           vectors(single(x), n, incx), 1);
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_ANY(L, T, Int, suffix)                                                               \
    cublasStatus_t cublas##L##gemv_v2##suffix(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n,  \
                                              const T* alpha, const T* A, Int lda, const T* x, Int incx,     \
                                              const T* beta, T* y, Int incy) {                               \
        return gemv(handle, trans, m, n, ours(alpha), single(ours(A)), lda, single(ours(x)), incx,           \
                    ours(beta), single(ours(y)), incy, 1);                                                   \
    }                                                                                                        \
    cublasStatus_t cublas##L##gemvBatched##suffix(                                                           \
        cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const T* alpha, const T* const A[],    \
        Int lda, const T* const x[], Int incx, const T* beta, T* const y[], Int incy, Int batchCount) {      \
        using O = Ours<T>;                                                                                   \
        return gemv<O>(handle, trans, m, n, ours(alpha), {nullptr, reinterpret_cast<const O* const*>(A), 0}, \
                       lda, {nullptr, reinterpret_cast<const O* const*>(x), 0}, incx, ours(beta),            \
                       {nullptr, reinterpret_cast<O* const*>(y), 0}, incy, batchCount);                      \
    }                                                                                                        \
    cublasStatus_t cublas##L##gemvStridedBatched##suffix(                                                    \
        cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const T* alpha, const T* A, Int lda,   \
        long long strideA, const T* x, Int incx, long long stridex, const T* beta, T* y, Int incy,           \
        long long stridey, Int batchCount) {                                                                 \
        using O = Ours<T>;                                                                                   \
        return gemv<O>(handle, trans, m, n, ours(alpha), {ours(A), nullptr, strideA}, lda,                   \
                       {ours(x), nullptr, stridex}, incx, ours(beta), {ours(y), nullptr, stridey}, incy,     \
                       batchCount);                                                                          \
    }                                                                                                        \
    cublasStatus_t cublas##L##gbmv_v2##suffix(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n,  \
                                              Int kl, Int ku, const T* alpha, const T* A, Int lda,           \
                                              const T* x, Int incx, const T* beta, T* y, Int incy) {         \
        return gbmv(handle, trans, m, n, kl, ku, ours(alpha), ours(A), lda, ours(x), incx, ours(beta),       \
                    ours(y), incy);                                                                          \
    }                                                                                                        \
    cublasStatus_t cublas##L##symv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n,           \
                                              const T* alpha, const T* A, Int lda, const T* x, Int incx,     \
                                              const T* beta, T* y, Int incy) {                               \
        LOCKSTEP_REQUIRE_FIRST(lda >= 1 && lda >= n);                                                        \
        return self_adjoint_mv(handle, uplo, false, n, ours(alpha), ours(A), full_storage(lda, n), ours(x),  \
                               incx, ours(beta), ours(y), incy);                                             \
    }                                                                                                        \
    cublasStatus_t cublas##L##trmv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                              cublasOperation_t trans, cublasDiagType_t diag, Int n,         \
                                              const T* A, Int lda, T* x, Int incx) {                         \
        LOCKSTEP_REQUIRE_FIRST(lda >= 1 && lda >= n);                                                        \
        return triangular_mv(handle, uplo, trans, diag, n, ours(A), full_storage(lda, n), ours(x), incx);    \
    }                                                                                                        \
    cublasStatus_t cublas##L##tbmv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                              cublasOperation_t trans, cublasDiagType_t diag, Int n, Int k,  \
                                              const T* A, Int lda, T* x, Int incx) {                         \
        LOCKSTEP_REQUIRE_FIRST(k >= 0 && lda >= k + 1);                                                      \
        return triangular_mv(handle, uplo, trans, diag, n, ours(A),                                          \
                             band_storage(lda, k, uplo == CUBLAS_FILL_MODE_UPPER), ours(x), incx);           \
    }                                                                                                        \
    cublasStatus_t cublas##L##tpmv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                              cublasOperation_t trans, cublasDiagType_t diag, Int n,         \
                                              const T* AP, T* x, Int incx) {                                 \
        return triangular_mv(handle, uplo, trans, diag, n, ours(AP),                                         \
                             packed_storage(n, uplo == CUBLAS_FILL_MODE_UPPER), ours(x), incx);              \
    }
#define LOCKSTEP_DEFINE_SELF_ADJOINT(L, sb, sp, hermitian, T, Int, suffix)                                   \
    cublasStatus_t cublas##L##sb##mv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n, Int k,  \
                                                const T* alpha, const T* A, Int lda, const T* x, Int incx,   \
                                                const T* beta, T* y, Int incy) {                             \
        LOCKSTEP_REQUIRE_FIRST(k >= 0 && lda >= k + 1);                                                      \
        return self_adjoint_mv(handle, uplo, hermitian, n, ours(alpha), ours(A),                             \
                               band_storage(lda, k, uplo == CUBLAS_FILL_MODE_UPPER), ours(x), incx,          \
                               ours(beta), ours(y), incy);                                                   \
    }                                                                                                        \
    cublasStatus_t cublas##L##sp##mv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n,         \
                                                const T* alpha, const T* AP, const T* x, Int incx,           \
                                                const T* beta, T* y, Int incy) {                             \
        return self_adjoint_mv(handle, uplo, hermitian, n, ours(alpha), ours(AP),                            \
                               packed_storage(n, uplo == CUBLAS_FILL_MODE_UPPER), ours(x), incx, ours(beta), \
                               ours(y), incy);                                                               \
    }
#define LOCKSTEP_DEFINE_HEMV(L, T, Int, suffix)                                                            \
    cublasStatus_t cublas##L##hemv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n,         \
                                              const T* alpha, const T* A, Int lda, const T* x, Int incx,   \
                                              const T* beta, T* y, Int incy) {                             \
        LOCKSTEP_REQUIRE_FIRST(lda >= 1 && lda >= n);                                                      \
        return self_adjoint_mv(handle, uplo, true, n, ours(alpha), ours(A), full_storage(lda, n), ours(x), \
                               incx, ours(beta), ours(y), incy);                                           \
    }
#define LOCKSTEP_DEFINE(Int, suffix)                                            \
    LOCKSTEP_DEFINE_ANY(S, float, Int, suffix)                                  \
    LOCKSTEP_DEFINE_ANY(D, double, Int, suffix)                                 \
    LOCKSTEP_DEFINE_ANY(C, cuComplex, Int, suffix)                              \
    LOCKSTEP_DEFINE_ANY(Z, cuDoubleComplex, Int, suffix)                        \
    LOCKSTEP_DEFINE_SELF_ADJOINT(S, sb, sp, false, float, Int, suffix)          \
    LOCKSTEP_DEFINE_SELF_ADJOINT(D, sb, sp, false, double, Int, suffix)         \
    LOCKSTEP_DEFINE_SELF_ADJOINT(C, hb, hp, true, cuComplex, Int, suffix)       \
    LOCKSTEP_DEFINE_SELF_ADJOINT(Z, hb, hp, true, cuDoubleComplex, Int, suffix) \
    LOCKSTEP_DEFINE_HEMV(C, cuComplex, Int, suffix)                             \
    LOCKSTEP_DEFINE_HEMV(Z, cuDoubleComplex, Int, suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_DEFINE_ANY
#undef LOCKSTEP_DEFINE_SELF_ADJOINT
#undef LOCKSTEP_DEFINE_HEMV
#undef LOCKSTEP_DEFINE
