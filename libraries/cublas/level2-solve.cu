// Level 2: triangular systems with one right side: trsv, tbsv, tpsv.
#include "cublas/matrix.h"

namespace lockstep::cublas {

constexpr int solve_threads = 256, solve_tile = 32;

// One block, since each unknown needs those before it: 32 of them at a time, then what they contribute to all
// later ones.
template <class T, class Storage>
__global__ void triangular_solve_vector(Triangular<T, Storage> matrix, Vector<T> x) {
    __shared__ __align__(16) char memory[sizeof(T) * solve_tile * (solve_tile + 2)];
    T(*tile)[solve_tile + 1] = reinterpret_cast<T(*)[solve_tile + 1]>(memory);
    T* unknowns = reinterpret_cast<T*>(memory) + solve_tile * (solve_tile + 1);
    const int n = matrix.n, tiles = (n + solve_tile - 1) / solve_tile, thread = threadIdx.x;
    for (int step = 0; step < tiles; ++step) {
        const int begin = (matrix.upper ? tiles - 1 - step : step) * solve_tile,
                  count = smaller(solve_tile, n - begin);
        for (int at = thread; at < solve_tile * solve_tile; at += solve_threads) {
            const int i = at % solve_tile, j = at / solve_tile;
            const bool inside = i < count && j < count && j >= matrix.first(begin + i) - begin &&
                                j < matrix.last(begin + i) - begin;
            tile[i][j] = inside ? matrix.at(begin + i, begin + j) : T(0);
        }
        T mine = thread < count ? x[begin + thread] : T(0);
        __syncthreads();
        for (int turn = 0; turn < count; ++turn) {
            const int known = matrix.upper ? count - 1 - turn : turn;
            if (thread == known) {
                if (!matrix.unit) mine = mine / tile[known][known];
                unknowns[known] = mine;
            }
            __syncthreads();
            if (thread < count) {
                const bool later = matrix.upper ? thread < known : thread > known;
                if (later) mine -= tile[thread][known] * unknowns[known];
            }
        }
        if (thread < count) x[begin + thread] = mine;
        const int from = matrix.upper ? 0 : begin + count, to = matrix.upper ? begin : n;
        for (int i = from + thread; i < to; i += solve_threads) {
            const int first = larger(matrix.first(i), begin), last = smaller(matrix.last(i), begin + count);
            T sum = T(0);
            for (int j = first; j < last; ++j) sum = multiply_add(matrix.at(i, j), unknowns[j - begin], sum);
            if (first < last) x[i] -= sum;
        }
        __syncthreads();
    }
}

namespace {

template <class T, class Storage>
Status triangular_sv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                     cublasDiagType_t diag, std::int64_t n, const T* A, Storage storage, T* x,
                     std::int64_t incx) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_triangle(uplo) && valid_operation(trans) && valid_diagonal(diag));
    LOCKSTEP_REQUIRE(n >= 0);
    LOCKSTEP_REQUIRE(incx != 0);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, triangular_solve_vector<T, Storage>, 1, solve_threads,
                  triangular(A, storage, n, uplo, trans, diag), vector(x, n, incx));
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_ANY(L, T, Int, suffix)                                                              \
    cublasStatus_t cublas##L##trsv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo,                 \
                                              cublasOperation_t trans, cublasDiagType_t diag, Int n,        \
                                              const T* A, Int lda, T* x, Int incx) {                        \
        LOCKSTEP_REQUIRE_FIRST(lda >= 1 && lda >= n);                                                       \
        return triangular_sv(handle, uplo, trans, diag, n, ours(A), full_storage(lda, n), ours(x), incx);   \
    }                                                                                                       \
    cublasStatus_t cublas##L##tbsv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo,                 \
                                              cublasOperation_t trans, cublasDiagType_t diag, Int n, Int k, \
                                              const T* A, Int lda, T* x, Int incx) {                        \
        LOCKSTEP_REQUIRE_FIRST(k >= 0 && lda >= k + 1);                                                     \
        return triangular_sv(handle, uplo, trans, diag, n, ours(A),                                         \
                             band_storage(lda, k, uplo == CUBLAS_FILL_MODE_UPPER), ours(x), incx);          \
    }                                                                                                       \
    cublasStatus_t cublas##L##tpsv_v2##suffix(cublasHandle_t handle, cublasFillMode_t uplo,                 \
                                              cublasOperation_t trans, cublasDiagType_t diag, Int n,        \
                                              const T* AP, T* x, Int incx) {                                \
        return triangular_sv(handle, uplo, trans, diag, n, ours(AP),                                        \
                             packed_storage(n, uplo == CUBLAS_FILL_MODE_UPPER), ours(x), incx);             \
    }
#define LOCKSTEP_DEFINE(Int, suffix)               \
    LOCKSTEP_DEFINE_ANY(S, float, Int, suffix)     \
    LOCKSTEP_DEFINE_ANY(D, double, Int, suffix)    \
    LOCKSTEP_DEFINE_ANY(C, cuComplex, Int, suffix) \
    LOCKSTEP_DEFINE_ANY(Z, cuDoubleComplex, Int, suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_DEFINE_ANY
#undef LOCKSTEP_DEFINE
