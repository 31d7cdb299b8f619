// Kernels of level 2 that multiply a matrix with a vector.
#pragma once
#include "cublas/matrix.h"

namespace lockstep::cublas {

// A vector of a batch.
template <class T>
struct Vectors {
    Batch<T> batch;
    long long start, increment;

    __device__ Vector<T> operator[](int i) const { return {batch[i] + start, increment}; }
};
template <class T>
Vectors<T> vectors(Batch<T> batch, std::int64_t n, std::int64_t increment) {
    return {batch, increment < 0 && n > 0 ? (1 - n) * increment : 0, increment};
}

template <class T>
__device__ void store_sum(T& y, T alpha, T sum, T beta) {
    // What beta = 0 stands for may not be read: it need not be a number.
    y = beta == T(0) ? alpha * sum : multiply_add(beta, y, alpha * sum);
}

constexpr int rows_a_block = 32, column_groups = 16, columns_a_block = 8;

// y = alpha A x + beta y. A block has 32 rows, neighbours in memory, and 16 threads share a row's columns.
template <class T, class Matrix>
__global__ void matrix_vector(int rows, Scalar<T> alpha, Matrix matrix, Batch<const T> matrices,
                              Vectors<const T> xs, Scalar<T> beta, Vectors<T> ys, int batches) {
    __shared__ __align__(16) char memory[sizeof(T) * rows_a_block * column_groups];
    T* sums = reinterpret_cast<T*>(memory);
    const int i = blockIdx.x * rows_a_block + threadIdx.x;
    const T a = alpha.get(), b = beta.get();
    for (int batch = blockIdx.z; batch < batches; batch += gridDim.z) {
        matrix.a = matrices[batch];
        const Vector<const T> x = xs[batch];
        T sum = T(0);
        if (i < rows && a != T(0)) {
            const int last = matrix.last(i);
            for (int j = matrix.first(i) + threadIdx.y; j < last; j += column_groups)
                sum = multiply_add(matrix.at(i, j), x[j], sum);
        }
        sums[threadIdx.y * rows_a_block + threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.y == 0 && i < rows) {
#pragma unroll
            for (int group = 1; group < column_groups; ++group)
                sum += sums[group * rows_a_block + threadIdx.x];
            store_sum(ys[batch][i], a, sum, b);
        }
        __syncthreads();
    }
}

// The same with a transposed A, whose columns the 32 lanes of a warp go along together.
template <class T>
__global__ void matrix_vector_transposed(int rows, int columns, Scalar<T> alpha, Batch<const T> matrices,
                                         long long ld, bool conjugated, Vectors<const T> xs, Scalar<T> beta,
                                         Vectors<T> ys, int batches) {
    __shared__ __align__(16) char memory[sizeof(T) * 32 * columns_a_block];
    T* sums = reinterpret_cast<T*>(memory) + threadIdx.y * 32;
    const int j = blockIdx.x * columns_a_block + threadIdx.y;
    const T a = alpha.get(), b = beta.get();
    for (int batch = blockIdx.z; batch < batches; batch += gridDim.z) {
        const Vector<const T> x = xs[batch];
        T sum = T(0);
        if (j < columns && a != T(0)) {
            const T* column = matrices[batch] + j * ld;
            for (int i = threadIdx.x; i < rows; i += 32)
                sum = multiply_add(conjugate_if(conjugated, column[i]), x[i], sum);
        }
        sums[threadIdx.x] = sum;
        __syncthreads();
#pragma unroll 1
        for (int offset = 16; offset > 0; offset /= 2) {
            if (threadIdx.x < offset) sums[threadIdx.x] += sums[threadIdx.x + offset];
            __syncthreads();
        }
        if (threadIdx.x == 0 && j < columns) store_sum(ys[batch][j], a, sums[0], b);
        __syncthreads();
    }
}

template <class T, class Matrix>
Status multiply_vector(cublasHandle_t handle, int rows, Scalar<T> alpha, const Matrix& matrix,
                       Batch<const T> matrices, Vectors<const T> x, Scalar<T> beta, Vectors<T> y,
                       int batches) {
    return launch(handle, matrix_vector<T, Matrix>,
                  dim3(blocks_for(rows, rows_a_block, INT_MAX), 1, blocks_for(batches, 1)),
                  dim3(rows_a_block, column_groups), rows, alpha, matrix, matrices, x, beta, y, batches);
}

}  // namespace lockstep::cublas
