// Vectors and matrices between host and device.
#include "cublas/context.h"

namespace lockstep::cublas {
namespace {

// Elements with gaps between them are the rows of a matrix one element wide.
template <class Copy>
Status move_vector(std::int64_t n, std::int64_t size, const void* x, std::int64_t incx, void* y,
                   std::int64_t incy, Copy copy) {
    LOCKSTEP_REQUIRE(incx > 0 && incy > 0 && size > 0);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    const bool dense = incx == 1 && incy == 1;
    const cudaError_t error =
        dense ? copy(y, n * size, x, n * size, n * size, 1) : copy(y, incy * size, x, incx * size, size, n);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

template <class Copy>
Status move_matrix(std::int64_t rows, std::int64_t cols, std::int64_t size, const void* A, std::int64_t lda,
                   void* B, std::int64_t ldb, Copy copy) {
    LOCKSTEP_REQUIRE(rows >= 0 && cols >= 0 && size > 0);
    LOCKSTEP_REQUIRE(lda > 0 && lda >= rows && ldb > 0 && ldb >= rows);
    if (rows == 0 || cols == 0) return CUBLAS_STATUS_SUCCESS;
    const cudaError_t error = copy(B, ldb * size, A, lda * size, rows * size, cols);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

auto at_once(cudaMemcpyKind kind) {
    return [=](void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
               std::size_t height) {
        if (height == 1) return cudaMemcpy(to, from, width, kind);
        return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
    };
}
auto in_stream(cudaMemcpyKind kind, cudaStream_t stream) {
    return [=](void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
               std::size_t height) {
        if (height == 1) return cudaMemcpyAsync(to, from, width, kind, stream);
        return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
    };
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_COPIES(Direction, kind, Int, suffix)                                                 \
    cublasStatus_t cublas##Direction##Vector##suffix(Int n, Int size, const void* x, Int incx, void* y,      \
                                                     Int incy) {                                             \
        return move_vector(n, size, x, incx, y, incy, at_once(kind));                                        \
    }                                                                                                        \
    cublasStatus_t cublas##Direction##VectorAsync##suffix(Int n, Int size, const void* x, Int incx, void* y, \
                                                          Int incy, cudaStream_t stream) {                   \
        return move_vector(n, size, x, incx, y, incy, in_stream(kind, stream));                              \
    }                                                                                                        \
    cublasStatus_t cublas##Direction##Matrix##suffix(Int rows, Int cols, Int size, const void* A, Int lda,   \
                                                     void* B, Int ldb) {                                     \
        return move_matrix(rows, cols, size, A, lda, B, ldb, at_once(kind));                                 \
    }                                                                                                        \
    cublasStatus_t cublas##Direction##MatrixAsync##suffix(Int rows, Int cols, Int size, const void* A,       \
                                                          Int lda, void* B, Int ldb, cudaStream_t stream) {  \
        return move_matrix(rows, cols, size, A, lda, B, ldb, in_stream(kind, stream));                       \
    }
LOCKSTEP_DEFINE_COPIES(Set, cudaMemcpyHostToDevice, int, )
LOCKSTEP_DEFINE_COPIES(Get, cudaMemcpyDeviceToHost, int, )
LOCKSTEP_DEFINE_COPIES(Set, cudaMemcpyHostToDevice, int64_t, _64)
LOCKSTEP_DEFINE_COPIES(Get, cudaMemcpyDeviceToHost, int64_t, _64)
#undef LOCKSTEP_DEFINE_COPIES
