// Level 2: what adds products of vectors to a matrix: ger, syr, her, syr2, her2, and their packed forms.
#include "cublas/matrix.h"

namespace lockstep::cublas {

struct Update {
    int rows, columns;
    Region region;
    bool conjugated;  // the factor of the columns
    bool twice;       // and the same with x and y exchanged
    bool hermitian;   // the diagonal is real
};

// A += alpha x y^T, one element a thread.
template <class T, class Storage>
__global__ void rank_update(Update update, Scalar<T> alpha, Vector<const T> x, Vector<const T> y, T* matrix,
                            Storage storage) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T a = alpha.get();
    if (i >= update.rows || a == T(0)) return;
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < update.columns; j += gridDim.y * blockDim.y) {
        if (update.region == Region::upper ? i > j : update.region == Region::lower && i < j) continue;
        T& element = matrix[storage.offset(i, j)];
        T sum = multiply_add(a * x[i], conjugate_if(update.conjugated, y[j]), element);
        if (update.twice)
            sum = multiply_add(conjugate_if(update.conjugated, a) * y[i],
                               conjugate_if(update.conjugated, x[j]), sum);
        element = update.hermitian && i == j ? T(real_part(sum)) : sum;
    }
}

namespace {

template <class T, class Storage>
Status start_update(cublasHandle_t handle, const Update& update, Scalar<T> alpha, Vector<const T> x,
                    Vector<const T> y, T* A, Storage storage) {
    if (update.rows == 0 || update.columns == 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, rank_update<T, Storage>,
                  dim3(blocks_for(update.rows, 32, INT_MAX), blocks_for(update.columns, 8)), dim3(32, 8),
                  update, alpha, x, y, A, storage);
}

template <class T>
Status ger(cublasHandle_t handle, bool conjugated, std::int64_t m, std::int64_t n, const T* alpha, const T* x,
           std::int64_t incx, const T* y, std::int64_t incy, T* A, std::int64_t lda) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0);
    LOCKSTEP_REQUIRE(incx != 0 && incy != 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= m);
    LOCKSTEP_REQUIRE(alpha);
    LOCKSTEP_REQUIRE_SIZES(m, n);
    const Update update = {static_cast<int>(m), static_cast<int>(n), Region::all, conjugated, false, false};
    return start_update(handle, update, scalar(handle, alpha), vector(x, m, incx), vector(y, n, incy), A,
                        full_storage(lda, n));
}

// syr, spr, her, hpr: `y` is `x`; syr2, spr2, her2, hpr2
template <class T, class A, class Storage>
Status self_adjoint_update(cublasHandle_t handle, cublasFillMode_t uplo, bool hermitian, std::int64_t n,
                           const A* alpha, const T* x, std::int64_t incx, const T* y, std::int64_t incy,
                           bool twice, T* matrix, Storage storage) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_triangle(uplo));
    LOCKSTEP_REQUIRE(n >= 0);
    LOCKSTEP_REQUIRE(incx != 0 && incy != 0);
    LOCKSTEP_REQUIRE(alpha);
    LOCKSTEP_REQUIRE_SIZES(n);
    const Update update = {static_cast<int>(n),
                           static_cast<int>(n),
                           uplo == CUBLAS_FILL_MODE_UPPER ? Region::upper : Region::lower,
                           hermitian,
                           twice,
                           hermitian};
    Scalar<T> factor{};
    if constexpr (std::is_same_v<A, T>)
        factor = scalar(handle, alpha);
    else
        factor = real_scalar<T>(handle, alpha);
    return start_update(handle, update, factor, vector(x, n, incx), vector(y, n, incy), matrix, storage);
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_GER(name, conjugated, T, Int, suffix)                                              \
    cublasStatus_t name##suffix(cublasHandle_t handle, Int m, Int n, const T* alpha, const T* x, Int incx, \
                                const T* y, Int incy, T* A, Int lda) {                                     \
        return ger(handle, conjugated, m, n, ours(alpha), ours(x), incx, ours(y), incy, ours(A), lda);     \
    }
#define LOCKSTEP_DEFINE_FULL(name, name2, hermitian, T, R, Int, suffix)                                   \
    cublasStatus_t name##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const R* alpha,      \
                                const T* x, Int incx, T* A, Int lda) {                                    \
        LOCKSTEP_REQUIRE_FIRST(lda >= 1 && lda >= n);                                                     \
        return self_adjoint_update(handle, uplo, hermitian, n, ours(alpha), ours(x), incx, ours(x), incx, \
                                   false, ours(A), full_storage(lda, n));                                 \
    }                                                                                                     \
    cublasStatus_t name2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha,     \
                                 const T* x, Int incx, const T* y, Int incy, T* A, Int lda) {             \
        LOCKSTEP_REQUIRE_FIRST(lda >= 1 && lda >= n);                                                     \
        return self_adjoint_update(handle, uplo, hermitian, n, ours(alpha), ours(x), incx, ours(y), incy, \
                                   true, ours(A), full_storage(lda, n));                                  \
    }
#define LOCKSTEP_DEFINE_PACKED(name, name2, hermitian, T, R, Int, suffix)                                 \
    cublasStatus_t name##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const R* alpha,      \
                                const T* x, Int incx, T* AP) {                                            \
        return self_adjoint_update(handle, uplo, hermitian, n, ours(alpha), ours(x), incx, ours(x), incx, \
                                   false, ours(AP), packed_storage(n, uplo == CUBLAS_FILL_MODE_UPPER));   \
    }                                                                                                     \
    cublasStatus_t name2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha,     \
                                 const T* x, Int incx, const T* y, Int incy, T* AP) {                     \
        return self_adjoint_update(handle, uplo, hermitian, n, ours(alpha), ours(x), incx, ours(y), incy, \
                                   true, ours(AP), packed_storage(n, uplo == CUBLAS_FILL_MODE_UPPER));    \
    }
#define LOCKSTEP_DEFINE(Int, suffix)                                                                  \
    LOCKSTEP_DEFINE_GER(cublasSger_v2, false, float, Int, suffix)                                     \
    LOCKSTEP_DEFINE_GER(cublasDger_v2, false, double, Int, suffix)                                    \
    LOCKSTEP_DEFINE_GER(cublasCgeru_v2, false, cuComplex, Int, suffix)                                \
    LOCKSTEP_DEFINE_GER(cublasCgerc_v2, true, cuComplex, Int, suffix)                                 \
    LOCKSTEP_DEFINE_GER(cublasZgeru_v2, false, cuDoubleComplex, Int, suffix)                          \
    LOCKSTEP_DEFINE_GER(cublasZgerc_v2, true, cuDoubleComplex, Int, suffix)                           \
    LOCKSTEP_DEFINE_FULL(cublasSsyr_v2, cublasSsyr2_v2, false, float, float, Int, suffix)             \
    LOCKSTEP_DEFINE_FULL(cublasDsyr_v2, cublasDsyr2_v2, false, double, double, Int, suffix)           \
    LOCKSTEP_DEFINE_FULL(cublasCsyr_v2, cublasCsyr2_v2, false, cuComplex, cuComplex, Int, suffix)     \
    LOCKSTEP_DEFINE_FULL(cublasZsyr_v2, cublasZsyr2_v2, false, cuDoubleComplex, cuDoubleComplex, Int, \
                         suffix)                                                                      \
    LOCKSTEP_DEFINE_FULL(cublasCher_v2, cublasCher2_v2, true, cuComplex, float, Int, suffix)          \
    LOCKSTEP_DEFINE_FULL(cublasZher_v2, cublasZher2_v2, true, cuDoubleComplex, double, Int, suffix)   \
    LOCKSTEP_DEFINE_PACKED(cublasSspr_v2, cublasSspr2_v2, false, float, float, Int, suffix)           \
    LOCKSTEP_DEFINE_PACKED(cublasDspr_v2, cublasDspr2_v2, false, double, double, Int, suffix)         \
    LOCKSTEP_DEFINE_PACKED(cublasChpr_v2, cublasChpr2_v2, true, cuComplex, float, Int, suffix)        \
    LOCKSTEP_DEFINE_PACKED(cublasZhpr_v2, cublasZhpr2_v2, true, cuDoubleComplex, double, Int, suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_DEFINE_GER
#undef LOCKSTEP_DEFINE_FULL
#undef LOCKSTEP_DEFINE_PACKED
#undef LOCKSTEP_DEFINE
