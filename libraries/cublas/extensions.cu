// What cuBLAS adds to the BLAS: geam adds matrices, transposed or not; dgmm multiplies with a diagonal one.
#include "cublas/matrix.h"

namespace lockstep::cublas {

constexpr int square = 32, square_rows = 8;

template <class T>
struct Term {
    const T* a;
    long long ld;
    bool transposed, conjugated;
};

// A tile is read along columns as it lies, and transposed in shared memory where it has to be.
template <class T>
__device__ void add_term(T (&sums)[square / square_rows], T factor, const Term<T>& term,
                         T (*tile)[square + 1], int row, int column, int m, int n) {
    if (factor == T(0)) return;
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < square / square_rows; ++turn) {
        const int x = threadIdx.x, y = threadIdx.y + turn * square_rows;
        const int i = row + (term.transposed ? y : x), j = column + (term.transposed ? x : y);
        if (i < m && j < n) {
            const T element = term.transposed ? term.a[j + i * term.ld] : term.a[i + j * term.ld];
            tile[i - row][j - column] = conjugate_if(term.conjugated, element);
        }
    }
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < square / square_rows; ++turn) {
        const int j = threadIdx.y + turn * square_rows;
        if (row + static_cast<int>(threadIdx.x) < m && column + j < n)
            sums[turn] = multiply_add(factor, tile[threadIdx.x][j], sums[turn]);
    }
}

template <class T>
__global__ void geam_tile(int m, int n, Scalar<T> alpha, Term<T> a, Scalar<T> beta, Term<T> b, T* c,
                          long long ldc) {
    __shared__ __align__(16) char memory[sizeof(T) * square * (square + 1)];
    T(*tile)[square + 1] = reinterpret_cast<T(*)[square + 1]>(memory);
    const T factor_a = alpha.get(), factor_b = beta.get();
    const int row = blockIdx.x * square;
    for (int column = blockIdx.y * square; column < n; column += gridDim.y * square) {
        T sums[square / square_rows];
#pragma unroll
        for (T& sum : sums) sum = T(0);
#pragma unroll 1
        for (int term = 0; term < 2; ++term)
            add_term(sums, term == 0 ? factor_a : factor_b, term == 0 ? a : b, tile, row, column, m, n);
        const int i = row + threadIdx.x;
#pragma unroll
        for (int turn = 0; turn < square / square_rows; ++turn) {
            const int j = column + threadIdx.y + turn * square_rows;
            if (i < m && j < n) c[i + j * ldc] = sums[turn];
        }
    }
}

template <class T>
__global__ void dgmm_kernel(int m, int n, bool on_left, const T* a, long long lda, Vector<const T> x, T* c,
                            long long ldc) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < n; j += gridDim.y * blockDim.y)
        c[i + j * ldc] = a[i + j * lda] * x[on_left ? i : j];
}

namespace {

template <class T>
Status geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, std::int64_t m,
            std::int64_t n, const T* alpha, const T* A, std::int64_t lda, const T* beta, const T* B,
            std::int64_t ldb, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_operation(transa) && valid_operation(transb));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0);
    LOCKSTEP_REQUIRE(alpha && beta);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= (transa == CUBLAS_OP_N ? m : n));
    LOCKSTEP_REQUIRE(ldb >= 1 && ldb >= (transb == CUBLAS_OP_N ? m : n));
    LOCKSTEP_REQUIRE(ldc >= 1 && ldc >= m);
    // In place as long as every element stays where it is.
    LOCKSTEP_REQUIRE(C != A || (lda == ldc && transa == CUBLAS_OP_N));
    LOCKSTEP_REQUIRE(C != B || (ldb == ldc && transb == CUBLAS_OP_N));
    LOCKSTEP_REQUIRE_SIZES(m, n);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const Term<T> a = {A, lda, transa != CUBLAS_OP_N, transa == CUBLAS_OP_C};
    const Term<T> b = {B, ldb, transb != CUBLAS_OP_N, transb == CUBLAS_OP_C};
    return launch(handle, geam_tile<T>, dim3(blocks_for(m, square, INT_MAX), blocks_for(n, square)),
                  dim3(square, square_rows), m, n, scalar(handle, alpha), a, scalar(handle, beta), b, C, ldc);
}

template <class T>
Status dgmm(cublasHandle_t handle, cublasSideMode_t side, std::int64_t m, std::int64_t n, const T* A,
            std::int64_t lda, const T* x, std::int64_t incx, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_side(side));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= m && ldc >= 1 && ldc >= m);
    LOCKSTEP_REQUIRE_SIZES(m, n);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const bool on_left = side == CUBLAS_SIDE_LEFT;
    return launch(handle, dgmm_kernel<T>, dim3(blocks_for(m, 32, INT_MAX), blocks_for(n, 8)), dim3(32, 8), m,
                  n, on_left, A, lda, vector(x, on_left ? m : n, incx), C, ldc);
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_ANY(L, T, Int, suffix)                                                         \
    cublasStatus_t cublas##L##geam##suffix(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n,       \
        const T* alpha, const T* A, Int lda, const T* beta, const T* B, Int ldb, T* C, Int ldc) {      \
        return geam(handle, transa, transb, m, n, ours(alpha), ours(A), lda, ours(beta), ours(B), ldb, \
                    ours(C), ldc);                                                                     \
    }                                                                                                  \
    cublasStatus_t cublas##L##dgmm##suffix(cublasHandle_t handle, cublasSideMode_t mode, Int m, Int n, \
                                           const T* A, Int lda, const T* x, Int incx, T* C, Int ldc) { \
        return dgmm(handle, mode, m, n, ours(A), lda, ours(x), incx, ours(C), ldc);                    \
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
