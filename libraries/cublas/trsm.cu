// Triangular systems with many right sides: trsm, and batches of them.
#include "cublas/matrix.h"

namespace lockstep::cublas {

constexpr int panel = 32, panel_groups = 8, panel_each = panel / panel_groups;

struct Panels {
    int right_sides, batches;
    long long row_step,
        column_step;  // of B: a system that stands on the right is the transposed one on the left
};

// A block has 32 right sides. It goes through the rows by 32: takes off what the known ones contribute, then
// solves with the triangle on the diagonal. Thread (x, y) has row x of the tile and every eighth right side.
template <class T>
__global__ void __launch_bounds__(256)
    triangular_solve_panel(Triangular<T, Strided> matrix, Batch<const T> as, Panels panels, Scalar<T> alpha,
                           Batch<T> bs) {
    __shared__ __align__(16) char memory[2 * sizeof(T) * panel * (panel + 1)];
    T(*tile)[panel + 1] = reinterpret_cast<T(*)[panel + 1]>(memory);
    T(*known)[panel + 1] = tile + panel;
    const int x = threadIdx.x, y = threadIdx.y, n = matrix.n, tiles = (n + panel - 1) / panel;
    const int first_side = blockIdx.x * panel;
    const T a = alpha.get();

    // Rows from `row`, columns from `column` of the triangle, which is zero where it has no elements.
    const auto load_triangle = [&](int row, int column) {
#pragma unroll
        for (int turn = 0; turn < panel_each; ++turn) {
            const int other = y + turn * panel_groups;
            const int i = matrix.transposed ? other : x, j = matrix.transposed ? x : other;
            const bool inside = row + i < n && column + j < n &&
                                (matrix.upper ? row + i <= column + j : row + i >= column + j);
            tile[i][j] = inside ? matrix.at(row + i, column + j) : T(0);
        }
    };

    for (int batch = blockIdx.z; batch < panels.batches; batch += gridDim.z) {
        matrix.a = as[batch];
        T* b = bs[batch];
        const auto element = [&](int i, int side) -> T& {
            return b[i * panels.row_step + side * panels.column_step];
        };
        for (int step = 0; step < tiles; ++step) {
            const int row = (matrix.upper ? tiles - 1 - step : step) * panel;
            T values[panel_each];
#pragma unroll
            for (int turn = 0; turn < panel_each; ++turn) {
                const int side = first_side + y + turn * panel_groups;
                const bool inside = row + x < n && side < panels.right_sides;
                values[turn] = inside && a != T(0) ? a * element(row + x, side) : T(0);
            }
            if (a != T(0)) {
                for (int before = 0; before < step; ++before) {
                    const int column = (matrix.upper ? tiles - 1 - before : before) * panel;
                    load_triangle(row, column);
#pragma unroll
                    for (int turn = 0; turn < panel_each; ++turn) {
                        const int side = y + turn * panel_groups;
                        const bool inside = column + x < n && first_side + side < panels.right_sides;
                        known[x][side] = inside ? element(column + x, first_side + side) : T(0);
                    }
                    __syncthreads();
#pragma unroll 4
                    for (int k = 0; k < panel; ++k) {
                        const T factor = -tile[x][k];
#pragma unroll
                        for (int turn = 0; turn < panel_each; ++turn)
                            values[turn] =
                                multiply_add(factor, known[k][y + turn * panel_groups], values[turn]);
                    }
                    __syncthreads();
                }
                load_triangle(row, row);
                __syncthreads();
                const int count = smaller(panel, n - row);
                for (int turn_row = 0; turn_row < count; ++turn_row) {
                    const int solved = matrix.upper ? count - 1 - turn_row : turn_row;
                    if (x == solved) {
#pragma unroll
                        for (int turn = 0; turn < panel_each; ++turn) {
                            if (!matrix.unit) values[turn] = values[turn] / tile[solved][solved];
                            known[solved][y + turn * panel_groups] = values[turn];
                        }
                    }
                    __syncthreads();
                    if (matrix.upper ? x < solved : x > solved) {
                        const T factor = -tile[x][solved];
#pragma unroll
                        for (int turn = 0; turn < panel_each; ++turn)
                            values[turn] =
                                multiply_add(factor, known[solved][y + turn * panel_groups], values[turn]);
                    }
                }
            }
#pragma unroll
            for (int turn = 0; turn < panel_each; ++turn) {
                const int side = first_side + y + turn * panel_groups;
                if (row + x < n && side < panels.right_sides) element(row + x, side) = values[turn];
            }
            __syncthreads();
        }
    }
}

namespace {

template <class T>
Status trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
            cublasDiagType_t diag, std::int64_t m, std::int64_t n, const T* alpha, Batch<const T> A,
            std::int64_t lda, Batch<T> B, std::int64_t ldb, std::int64_t batches) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(valid_side(side) && valid_triangle(uplo) && valid_operation(trans) &&
                     valid_diagonal(diag));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0 && batches >= 0);
    const bool on_left = side == CUBLAS_SIDE_LEFT;
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= (on_left ? m : n));
    LOCKSTEP_REQUIRE(ldb >= 1 && ldb >= m);
    LOCKSTEP_REQUIRE(alpha);
    LOCKSTEP_REQUIRE_SIZES(m, n, batches);
    if (m == 0 || n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    const std::int64_t unknowns = on_left ? m : n, sides = on_left ? n : m;
    auto matrix = triangular<T>(nullptr, full_storage(lda, unknowns), unknowns, uplo, trans, diag);
    if (!on_left) {
        matrix.transposed = !matrix.transposed;
        matrix.upper = !matrix.upper;
    }
    const Panels panels = {static_cast<int>(sides), static_cast<int>(batches), on_left ? 1 : ldb,
                           on_left ? ldb : 1};
    return launch(handle, triangular_solve_panel<T>,
                  dim3(blocks_for(sides, panel, INT_MAX), 1, blocks_for(batches, 1)),
                  dim3(panel, panel_groups), matrix, A, panels, scalar(handle, alpha), B);
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_ANY(L, T, Int, suffix)                                                          \
    cublasStatus_t cublas##L##trsm_v2##suffix(                                                          \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,   \
        cublasDiagType_t diag, Int m, Int n, const T* alpha, const T* A, Int lda, T* B, Int ldb) {      \
        return trsm(handle, side, uplo, trans, diag, m, n, ours(alpha), single(ours(A)), lda,           \
                    single(ours(B)), ldb, 1);                                                           \
    }                                                                                                   \
    cublasStatus_t cublas##L##trsmBatched##suffix(                                                      \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,   \
        cublasDiagType_t diag, Int m, Int n, const T* alpha, const T* const A[], Int lda, T* const B[], \
        Int ldb, Int batchCount) {                                                                      \
        using O = Ours<T>;                                                                              \
        return trsm<O>(handle, side, uplo, trans, diag, m, n, ours(alpha),                              \
                       {nullptr, reinterpret_cast<const O* const*>(A), 0}, lda,                         \
                       {nullptr, reinterpret_cast<O* const*>(B), 0}, ldb, batchCount);                  \
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
