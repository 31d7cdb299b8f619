// Matrices as BLAS stores them, seen as what they are: at(i, j) is an element of the whole matrix, and in row
// i only the columns from first(i) to before last(i) are other than zero.
#pragma once
#include "cublas/context.h"

namespace lockstep::cublas {

inline bool valid_operation(cublasOperation_t op) {
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline bool valid_triangle(cublasFillMode_t uplo) {
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
inline bool valid_diagonal(cublasDiagType_t diag) {
    return diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT;
}
inline bool valid_side(cublasSideMode_t side) {
    return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}

// What of a result is stored.
enum class Region : int { all, upper, lower };

__host__ __device__ inline int smaller(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline int larger(int a, int b) { return a > b ? a : b; }

// Columns one after the other, whole ones or those of a band, whose elements also lie at equal distances: an
// element's neighbour in its row is one element less far away than the leading dimension says.
struct Strided {
    long long start, step;
    int reach;  // how far from the diagonal elements are other than zero

    __host__ __device__ long long offset(int i, int j) const { return start + i + j * step; }
};
inline Strided full_storage(std::int64_t ld, std::int64_t n) { return {0, ld, static_cast<int>(n)}; }
inline Strided band_storage(std::int64_t ld, std::int64_t k, bool upper) {
    return {upper ? k : 0, ld - 1, static_cast<int>(k)};
}

// The columns of a triangle without gaps.
struct Packed {
    int n, reach;
    bool upper;

    __host__ __device__ long long offset(int i, int j) const {
        const long long column = j;
        return upper ? i + column * (column + 1) / 2 : i + column * (2LL * n - column - 1) / 2;
    }
};
inline Packed packed_storage(std::int64_t n, bool upper) {
    return {static_cast<int>(n), static_cast<int>(n), upper};
}

template <class T>
struct General {
    const T* a;
    long long start, row_step, column_step;
    int columns, below, above;  // how far from the diagonal elements are other than zero
    bool conjugated;

    __device__ T at(int i, int j) const {
        return conjugate_if(conjugated, a[start + i * row_step + j * column_step]);
    }
    __device__ int first(int i) const { return larger(0, i - below); }
    __device__ int last(int i) const { return above >= columns - i ? columns : i + above + 1; }
};

template <class T, class Storage>
struct SelfAdjoint {
    const T* a;
    Storage storage;
    int n;
    bool upper, hermitian;

    __device__ T at(int i, int j) const {
        if (i == j) {
            const T element = a[storage.offset(i, i)];
            return hermitian ? T(real_part(element)) : element;
        }
        if (upper == (i < j)) return a[storage.offset(i, j)];
        return conjugate_if(hermitian, a[storage.offset(j, i)]);
    }
    __device__ int first(int i) const { return larger(0, i - storage.reach); }
    __device__ int last(int i) const { return storage.reach >= n - i ? n : i + storage.reach + 1; }
};

template <class T, class Storage>
struct Triangular {
    const T* a;
    Storage storage;
    int n;
    bool upper;  // of what it is, not of what is stored: transposed it is the other
    bool transposed, conjugated, unit;

    __device__ T at(int i, int j) const {
        if (unit && i == j) return T(1);
        return conjugate_if(conjugated, a[transposed ? storage.offset(j, i) : storage.offset(i, j)]);
    }
    __device__ int first(int i) const { return upper ? i : larger(0, i - storage.reach); }
    __device__ int last(int i) const {
        return !upper ? i + 1 : storage.reach >= n - i ? n : i + storage.reach + 1;
    }
};

template <class T, class Storage>
Triangular<T, Storage> triangular(const T* a, Storage storage, std::int64_t n, cublasFillMode_t uplo,
                                  cublasOperation_t trans, cublasDiagType_t diag) {
    const bool transposed = trans != CUBLAS_OP_N;
    return {a,
            storage,
            static_cast<int>(n),
            (uplo == CUBLAS_FILL_MODE_UPPER) != transposed,
            transposed,
            trans == CUBLAS_OP_C,
            diag == CUBLAS_DIAG_UNIT};
}

}  // namespace lockstep::cublas
