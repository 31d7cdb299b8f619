// gemm of any types that there is a kernel for.
#pragma once
#include "cublas/tile-product.h"

namespace lockstep::cublas {

template <class In, class Compute>
struct DenseOperand {
    const In* a;
    long long x_step, k_step;
    bool k_adjacent, conjugated;

    __device__ Compute at(int x, int k) const {
        return conjugate_if(conjugated, to_compute<Compute>(a[x * x_step + k * k_step]));
    }
};

struct GemmShape {
    int m, n, k, batches;
    long long lda, ldb, ldc;
    bool transposed_a, transposed_b, conjugated_a, conjugated_b;
};

template <class In, class Out, class Compute, int tile>
__global__ void __launch_bounds__(256) gemm_tile(GemmShape shape, Scalar<Compute> alpha, Batch<const In> as,
                                                 Batch<const In> bs, Scalar<Compute> beta, Batch<Out> cs) {
    const int columns = (shape.n + tile - 1) / tile;
    TileResult<Out, Compute> result = {nullptr,     shape.ldc,  shape.m,     shape.n, shape.k,
                                       alpha.get(), beta.get(), Region::all, false};
    for (int batch = blockIdx.z; batch < shape.batches; batch += gridDim.z)
        for (int column = blockIdx.y; column < columns; column += gridDim.y) {
            const DenseOperand<In, Compute> left = {as[batch], shape.transposed_a ? shape.lda : 1,
                                                    shape.transposed_a ? 1 : shape.lda, shape.transposed_a,
                                                    shape.conjugated_a};
            const DenseOperand<In, Compute> right = {bs[batch], shape.transposed_b ? 1 : shape.ldb,
                                                     shape.transposed_b ? shape.ldb : 1, !shape.transposed_b,
                                                     shape.conjugated_b};
            result.c = cs[batch];
            tile_product<tile>(left, right, result, blockIdx.x, column);
        }
}

template <int tile, class In, class Out, class Compute>
Status start_gemm(cublasHandle_t handle, const GemmShape& shape, Scalar<Compute> alpha, Batch<const In> a,
                  Batch<const In> b, Scalar<Compute> beta, Batch<Out> c) {
    const dim3 grid(blocks_for(shape.m, tile, INT_MAX), blocks_for(shape.n, tile),
                    blocks_for(shape.batches, 1));
    return launch(handle, gemm_tile<In, Out, Compute, tile>, grid, 256, shape, alpha, a, b, beta, c);
}

template <class In, class Out, class Compute>
Status gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, std::int64_t m,
            std::int64_t n, std::int64_t k, Scalar<Compute> alpha, Batch<const In> A, std::int64_t lda,
            Batch<const In> B, std::int64_t ldb, Scalar<Compute> beta, Batch<Out> C, std::int64_t ldc,
            std::int64_t batches) {
    LOCKSTEP_REQUIRE(valid_operation(transa) && valid_operation(transb));
    LOCKSTEP_REQUIRE(m >= 0 && n >= 0 && k >= 0 && batches >= 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= (transa == CUBLAS_OP_N ? m : k));
    LOCKSTEP_REQUIRE(ldb >= 1 && ldb >= (transb == CUBLAS_OP_N ? k : n));
    LOCKSTEP_REQUIRE(ldc >= 1 && ldc >= m);
    LOCKSTEP_REQUIRE_SIZES(m, n, k, batches);
    if (m == 0 || n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    const GemmShape shape = {static_cast<int>(m),
                             static_cast<int>(n),
                             static_cast<int>(k),
                             static_cast<int>(batches),
                             lda,
                             ldb,
                             ldc,
                             transa != CUBLAS_OP_N,
                             transb != CUBLAS_OP_N,
                             transa == CUBLAS_OP_C,
                             transb == CUBLAS_OP_C};
    // Large tiles read less; of a small result they would leave most of a GPU idle.
    const bool large = m > 32 && n > 32 && ((m + 63) / 64) * ((n + 63) / 64) * batches >= 16;
    if (large) return start_gemm<64>(handle, shape, alpha, A, B, beta, C);
    return start_gemm<16>(handle, shape, alpha, A, B, beta, C);
}

// Those of one type, whose kernels are in gemm.cu.
#define LOCKSTEP_GEMM_OF_ONE_TYPE(T)                                                                 \
    Status gemm_of(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,        \
                   std::int64_t m, std::int64_t n, std::int64_t k, const T* alpha, Batch<const T> A, \
                   std::int64_t lda, Batch<const T> B, std::int64_t ldb, const T* beta, Batch<T> C,  \
                   std::int64_t ldc, std::int64_t batches)
LOCKSTEP_GEMM_OF_ONE_TYPE(float);
LOCKSTEP_GEMM_OF_ONE_TYPE(double);
LOCKSTEP_GEMM_OF_ONE_TYPE(Complex<float>);
LOCKSTEP_GEMM_OF_ONE_TYPE(Complex<double>);

}  // namespace lockstep::cublas
