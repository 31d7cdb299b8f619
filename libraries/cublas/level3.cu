// Level 3 with matrices of which a triangle is stored: symm, hemm, trmm multiply with one; syrk, herk, syr2k,
// her2k and the like give one.
#include "cublas/tile-product.h"

namespace lockstep::cublas {

// An operand of a product: op of a dense matrix, a symmetric or Hermitian one, op of a triangular one. Rows
// and columns are those of the operand as it stands in the product.
template <class T>
struct AnyOperand {
    enum class Kind : int { dense, self_adjoint, triangular };
    const T* a;
    long long ld;
    Kind kind;
    bool upper;  // what is stored
    bool transposed, conjugated, hermitian, unit;
    bool right;  // it is the right one: k counts its rows
    bool k_adjacent;

    __device__ T at(int x, int k) const {
        int i = right ? k : x, j = right ? x : k;
        if (transposed) {
            const int kept = i;
            i = j;
            j = kept;
        }
        // What is not stored is zero, or what its mirror image says.
        const bool stored = kind == Kind::dense || i == j || upper == (i < j);
        if (!stored && kind == Kind::triangular) return T(0);
        if (unit && i == j) return T(1);
        const T element = a[stored ? i + j * ld : j + i * ld];
        if (hermitian && i == j) return T(real_part(element));
        return conjugate_if(conjugated || (hermitian && !stored), element);
    }
};

template <class T>
AnyOperand<T> dense(const T* a, std::int64_t ld, bool right, bool transposed, bool conjugated) {
    return {a,     ld,    AnyOperand<T>::Kind::dense, false, transposed, conjugated, false,
            false, right, transposed != right};
}
template <class T>
AnyOperand<T> self_adjoint(const T* a, std::int64_t ld, bool right, bool upper, bool hermitian) {
    return {a, ld, AnyOperand<T>::Kind::self_adjoint, upper, false, false, hermitian, false, right, right};
}
template <class T>
AnyOperand<T> triangular(const T* a, std::int64_t ld, bool right, bool upper, cublasOperation_t op,
                         bool unit) {
    const bool transposed = op != CUBLAS_OP_N;
    return {a,
            ld,
            AnyOperand<T>::Kind::triangular,
            upper,
            transposed,
            op == CUBLAS_OP_C,
            false,
            unit,
            right,
            transposed != right};
}

constexpr int structured_edge = 32;

template <class T>
struct StructuredShape {
    T* c;
    long long ldc;
    int m, n, k;
    Region region;
    bool real_diagonal;
};

template <class T>
__global__ void __launch_bounds__(256)
    structured_tile(StructuredShape<T> shape, Scalar<T> alpha, AnyOperand<T> left, AnyOperand<T> right,
                    Scalar<T> beta) {
    const TileResult<T, T> result = {shape.c,    shape.ldc,    shape.m,
                                     shape.n,    shape.k,      alpha.get(),
                                     beta.get(), shape.region, shape.real_diagonal};
    const int row = blockIdx.x;
    for (int column = blockIdx.y; column * structured_edge < shape.n; column += gridDim.y) {
        if (shape.region == Region::upper ? row > column : shape.region == Region::lower && row < column)
            continue;
        tile_product<structured_edge>(left, right, result, row, column);
    }
}

namespace {

template <class T>
Status multiply(cublasHandle_t handle, const StructuredShape<T>& shape, Scalar<T> alpha,
                const AnyOperand<T>& left, const AnyOperand<T>& right, Scalar<T> beta) {
    if (shape.m == 0 || shape.n == 0) return CUBLAS_STATUS_SUCCESS;
    const dim3 grid(blocks_for(shape.m, structured_edge, INT_MAX), blocks_for(shape.n, structured_edge));
    return launch(handle, structured_tile<T>, grid, 256, shape, alpha, left, right, beta);
}

// symm, hemm
template <class T>
Status self_adjoint_mm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, bool hermitian,
                       std::int64_t m, std::int64_t n, const T* alpha, const T* A, std::int64_t lda,
                       const T* B, std::int64_t ldb, const T* beta, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_side(side) && valid_triangle(uplo));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0);
    const bool on_left = side == CUBLAS_SIDE_LEFT;
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= (on_left ? m : n));
    LOCKSTEP_REQUIRE(ldb >= 1 && ldb >= m && ldc >= 1 && ldc >= m);
    LOCKSTEP_REQUIRE(alpha && beta);
    LOCKSTEP_REQUIRE_SIZES(m, n);
    const StructuredShape<T> shape = {
        C,           ldc,  static_cast<int>(m), static_cast<int>(n), static_cast<int>(on_left ? m : n),
        Region::all, false};
    const auto a = self_adjoint(A, lda, !on_left, uplo == CUBLAS_FILL_MODE_UPPER, hermitian);
    const auto b = dense(B, ldb, on_left, false, false);
    return multiply(handle, shape, scalar(handle, alpha), on_left ? a : b, on_left ? b : a,
                    scalar(handle, beta));
}

// C = alpha op(A) op(B)^T + beta C, a triangle of it: syrk, herk with A for B; syrkx, herkx; and syr2k,
// her2k, which do it once more with A and B exchanged.
template <class T>
Status rank_k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, bool hermitian,
              bool twice, std::int64_t n, std::int64_t k, Scalar<T> alpha, const T* A, std::int64_t lda,
              const T* B, std::int64_t ldb, Scalar<T> beta, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE(valid_triangle(uplo) && valid_operation(trans));
    LOCKSTEP_REQUIRE(!(Parts<T>::complex && trans == (hermitian ? CUBLAS_OP_T : CUBLAS_OP_C)));
    LOCKSTEP_REQUIRE(n >= 0 && k >= 0);
    const bool straight = trans == CUBLAS_OP_N;
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= (straight ? n : k));
    LOCKSTEP_REQUIRE(ldb >= 1 && ldb >= (straight ? n : k));
    LOCKSTEP_REQUIRE(ldc >= 1 && ldc >= n);
    LOCKSTEP_REQUIRE_SIZES(n, k);
    const StructuredShape<T> shape = {C,
                                      ldc,
                                      static_cast<int>(n),
                                      static_cast<int>(n),
                                      static_cast<int>(k),
                                      uplo == CUBLAS_FILL_MODE_UPPER ? Region::upper : Region::lower,
                                      hermitian};
    const auto product = [&](const T* left, std::int64_t left_ld, const T* right, std::int64_t right_ld,
                             Scalar<T> factor, Scalar<T> kept) {
        return multiply(handle, shape, factor, dense(left, left_ld, false, !straight, hermitian && !straight),
                        dense(right, right_ld, true, straight, hermitian && straight), kept);
    };
    LOCKSTEP_TRY(product(A, lda, B, ldb, alpha, beta));
    if (!twice) return CUBLAS_STATUS_SUCCESS;
    if (hermitian) alpha.conjugated = true;
    return product(B, ldb, A, lda, alpha, constant(T(1)));
}

template <class T>
Status symmetric_rank_k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, bool twice,
                        std::int64_t n, std::int64_t k, const T* alpha, const T* A, std::int64_t lda,
                        const T* B, std::int64_t ldb, const T* beta, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(alpha && beta);
    return rank_k(handle, uplo, trans, false, twice, n, k, scalar(handle, alpha), A, lda, B, ldb,
                  scalar(handle, beta), C, ldc);
}

template <class T, class Alpha>
Status hermitian_rank_k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, bool twice,
                        std::int64_t n, std::int64_t k, const Alpha* alpha, const T* A, std::int64_t lda,
                        const T* B, std::int64_t ldb, const Real<T>* beta, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(alpha && beta);
    Scalar<T> factor{};
    if constexpr (std::is_same_v<Alpha, T>)
        factor = scalar(handle, alpha);
    else
        factor = real_scalar<T>(handle, alpha);
    return rank_k(handle, uplo, trans, true, twice, n, k, factor, A, lda, B, ldb,
                  real_scalar<T>(handle, beta), C, ldc);
}

// C may be B.
template <class T>
Status trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
            cublasDiagType_t diag, std::int64_t m, std::int64_t n, const T* alpha, const T* A,
            std::int64_t lda, const T* B, std::int64_t ldb, T* C, std::int64_t ldc) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_side(side) && valid_triangle(uplo) && valid_operation(trans) &&
                     valid_diagonal(diag));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0);
    const bool on_left = side == CUBLAS_SIDE_LEFT;
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= (on_left ? m : n));
    LOCKSTEP_REQUIRE(ldb >= 1 && ldb >= m && ldc >= 1 && ldc >= m);
    LOCKSTEP_REQUIRE(alpha);
    LOCKSTEP_REQUIRE_SIZES(m, n);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    if (B == C) {
        T* copied = static_cast<T*>(workspace(handle, m * n * sizeof(T)));
        if (!copied) return CUBLAS_STATUS_ALLOC_FAILED;
        LOCKSTEP_TRY(status_of(cudaMemcpy2DAsync(copied, m * sizeof(T), B, ldb * sizeof(T), m * sizeof(T), n,
                                                 cudaMemcpyDeviceToDevice, handle->stream)));
        B = copied;
        ldb = m;
    }
    const StructuredShape<T> shape = {
        C,           ldc,  static_cast<int>(m), static_cast<int>(n), static_cast<int>(on_left ? m : n),
        Region::all, false};
    const auto a =
        triangular(A, lda, !on_left, uplo == CUBLAS_FILL_MODE_UPPER, trans, diag == CUBLAS_DIAG_UNIT);
    const auto b = dense(B, ldb, on_left, false, false);
    return multiply(handle, shape, scalar(handle, alpha), on_left ? a : b, on_left ? b : a, constant(T(0)));
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_MM(name, hermitian, T, Int, suffix)                                                  \
    cublasStatus_t name##suffix(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Int m,  \
                                Int n, const T* alpha, const T* A, Int lda, const T* B, Int ldb,             \
                                const T* beta, T* C, Int ldc) {                                              \
        return self_adjoint_mm(handle, side, uplo, hermitian, m, n, ours(alpha), ours(A), lda, ours(B), ldb, \
                               ours(beta), ours(C), ldc);                                                    \
    }
#define LOCKSTEP_DEFINE_RANK_K(name, name2, namex, function, T, R, Int, suffix)                          \
    cublasStatus_t name##suffix(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                Int n, Int k, const R* alpha, const T* A, Int lda, const R* beta, T* C,  \
                                Int ldc) {                                                               \
        return function(handle, uplo, trans, false, n, k, ours(alpha), ours(A), lda, ours(A), lda,       \
                        ours(beta), ours(C), ldc);                                                       \
    }                                                                                                    \
    cublasStatus_t name2##suffix(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,  \
                                 Int n, Int k, const T* alpha, const T* A, Int lda, const T* B, Int ldb, \
                                 const R* beta, T* C, Int ldc) {                                         \
        return function(handle, uplo, trans, true, n, k, ours(alpha), ours(A), lda, ours(B), ldb,        \
                        ours(beta), ours(C), ldc);                                                       \
    }                                                                                                    \
    cublasStatus_t namex##suffix(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,  \
                                 Int n, Int k, const T* alpha, const T* A, Int lda, const T* B, Int ldb, \
                                 const R* beta, T* C, Int ldc) {                                         \
        return function(handle, uplo, trans, false, n, k, ours(alpha), ours(A), lda, ours(B), ldb,       \
                        ours(beta), ours(C), ldc);                                                       \
    }
#define LOCKSTEP_DEFINE_ANY(L, T, Int, suffix)                                                               \
    LOCKSTEP_DEFINE_MM(cublas##L##symm_v2, false, T, Int, suffix)                                            \
    LOCKSTEP_DEFINE_RANK_K(cublas##L##syrk_v2, cublas##L##syr2k_v2, cublas##L##syrkx, symmetric_rank_k, T,   \
                           T, Int, suffix)                                                                   \
    cublasStatus_t cublas##L##trmm_v2##suffix(cublasHandle_t handle, cublasSideMode_t side,                  \
                                              cublasFillMode_t uplo, cublasOperation_t trans,                \
                                              cublasDiagType_t diag, Int m, Int n, const T* alpha,           \
                                              const T* A, Int lda, const T* B, Int ldb, T* C, Int ldc) {     \
        return trmm(handle, side, uplo, trans, diag, m, n, ours(alpha), ours(A), lda, ours(B), ldb, ours(C), \
                    ldc);                                                                                    \
    }
#define LOCKSTEP_DEFINE_HERMITIAN(L, T, R, Int, suffix)                                                    \
    LOCKSTEP_DEFINE_MM(cublas##L##hemm_v2, true, T, Int, suffix)                                           \
    LOCKSTEP_DEFINE_RANK_K(cublas##L##herk_v2, cublas##L##her2k_v2, cublas##L##herkx, hermitian_rank_k, T, \
                           R, Int, suffix)
#define LOCKSTEP_DEFINE(Int, suffix)                            \
    LOCKSTEP_DEFINE_ANY(S, float, Int, suffix)                  \
    LOCKSTEP_DEFINE_ANY(D, double, Int, suffix)                 \
    LOCKSTEP_DEFINE_ANY(C, cuComplex, Int, suffix)              \
    LOCKSTEP_DEFINE_ANY(Z, cuDoubleComplex, Int, suffix)        \
    LOCKSTEP_DEFINE_HERMITIAN(C, cuComplex, float, Int, suffix) \
    LOCKSTEP_DEFINE_HERMITIAN(Z, cuDoubleComplex, double, Int, suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_DEFINE_MM
#undef LOCKSTEP_DEFINE_RANK_K
#undef LOCKSTEP_DEFINE_ANY
#undef LOCKSTEP_DEFINE_HERMITIAN
#undef LOCKSTEP_DEFINE
