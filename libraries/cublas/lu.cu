// Batches of small systems: getrfBatched, getrsBatched, getriBatched, matinvBatched. A matrix is a block's.
#include "cublas/matrix.h"

namespace lockstep::cublas {

constexpr int lu_threads = 256;

// A = P L U in place, with the largest element of a column as its pivot, or without pivots.
template <class T>
__global__ void __launch_bounds__(lu_threads)
    lu_factor(int n, T* const* as, int lda, int* pivots, int* info, int batches) {
    __shared__ Real<T> sizes[lu_threads];
    __shared__ int places[lu_threads];
    const int thread = threadIdx.x;
    for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
        T* a = as[batch];
        int singular = 0;
        for (int k = 0; k < n; ++k) {
            if (pivots) {
                Real<T> most = -1;
                int place = k;
                for (int i = k + thread; i < n; i += lu_threads)
                    if (const Real<T> size = size_of(a[i + static_cast<long long>(k) * lda]); size > most)
                        most = size, place = i;
                sizes[thread] = most;
                places[thread] = place;
                __syncthreads();
#pragma unroll 1
                for (int offset = lu_threads / 2; offset > 0; offset /= 2) {
                    if (thread < offset) {
                        const Real<T> other = sizes[thread + offset];
                        if (other > sizes[thread] ||
                            (other == sizes[thread] && places[thread + offset] < places[thread])) {
                            sizes[thread] = other;
                            places[thread] = places[thread + offset];
                        }
                    }
                    __syncthreads();
                }
                const int pivot = places[0];
                if (thread == 0) pivots[static_cast<long long>(batch) * n + k] = pivot + 1;
                if (pivot != k)
                    for (int j = thread; j < n; j += lu_threads) {
                        const long long column = static_cast<long long>(j) * lda;
                        const T kept = a[k + column];
                        a[k + column] = a[pivot + column];
                        a[pivot + column] = kept;
                    }
                __syncthreads();
            }
            const T* column = a + static_cast<long long>(k) * lda;
            const T diagonal = column[k];
            if (diagonal == T(0)) {  // it goes on, as LAPACK does
                if (singular == 0) singular = k + 1;
            } else {
                for (int i = k + 1 + thread; i < n; i += lu_threads)
                    a[i + static_cast<long long>(k) * lda] = column[i] / diagonal;
            }
            __syncthreads();
            const int left = n - k - 1;
            for (int at = thread; at < left * left; at += lu_threads) {
                const int i = k + 1 + at % left, j = k + 1 + at / left;
                T& element = a[i + static_cast<long long>(j) * lda];
                element -= column[i] * a[k + static_cast<long long>(j) * lda];
            }
            __syncthreads();
        }
        if (thread == 0) info[batch] = singular;
    }
}

// Exchanges rows as the pivots say, in their order or against it.
template <class T>
__global__ void exchange_rows(int n, int columns, T* const* bs, int ldb, const int* pivots, bool backwards,
                              int batches) {
    for (int batch = blockIdx.x; batch < batches; batch += gridDim.x)
        for (int j = threadIdx.x; j < columns; j += blockDim.x) {
            T* column = bs[batch] + static_cast<long long>(j) * ldb;
            for (int step = 0; step < n; ++step) {
                const int k = backwards ? n - 1 - step : step;
                const int pivot = pivots[static_cast<long long>(batch) * n + k] - 1;
                if (pivot == k) continue;
                const T kept = column[k];
                column[k] = column[pivot];
                column[pivot] = kept;
            }
        }
}

template <class T>
__global__ void set_identity(int n, T* const* cs, int ldc, int batches) {
    for (int batch = blockIdx.x; batch < batches; batch += gridDim.x)
        for (int at = threadIdx.x; at < n * n; at += blockDim.x)
            cs[batch][at % n + static_cast<long long>(at / n) * ldc] = at % n == at / n ? T(1) : T(0);
}

// Matrices one after the other, without gaps, and where each begins.
template <class T>
__global__ void gather(int n, const T* const* as, int lda, T* copies, T** addresses, int batches) {
    for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
        T* copy = copies + static_cast<long long>(batch) * n * n;
        if (threadIdx.x == 0) addresses[batch] = copy;
        for (int at = threadIdx.x; at < n * n; at += blockDim.x)
            copy[at] = as[batch][at % n + static_cast<long long>(at / n) * lda];
    }
}

namespace {

// Functions that this file calls take their factors from host memory, whatever the program's mode is.
class HostScalars {
  public:
    explicit HostScalars(cublasHandle_t handle) : handle_(handle), mode_(handle->pointer_mode) {
        handle->pointer_mode = CUBLAS_POINTER_MODE_HOST;
    }
    ~HostScalars() { handle_->pointer_mode = mode_; }

  private:
    cublasHandle_t handle_;
    cublasPointerMode_t mode_;
};

#define LOCKSTEP_TRSM(L, T)                                                                           \
    Status solve(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,               \
                 cublasDiagType_t diag, int n, int sides, const Ours<T>* const* A, int lda,           \
                 Ours<T>* const* B, int ldb, int batches) {                                           \
        const Ours<T> one(1);                                                                         \
        return cublas##L##trsmBatched(                                                                \
            handle, CUBLAS_SIDE_LEFT, uplo, trans, diag, n, sides, reinterpret_cast<const T*>(&one),  \
            reinterpret_cast<const T* const*>(A), lda, reinterpret_cast<T* const*>(B), ldb, batches); \
    }
LOCKSTEP_TRSM(S, float)
LOCKSTEP_TRSM(D, double)
LOCKSTEP_TRSM(C, cuComplex)
LOCKSTEP_TRSM(Z, cuDoubleComplex)

template <class T>
Status getrf(cublasHandle_t handle, int n, T* const* A, int lda, int* pivots, int* info, int batches) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(n >= 0 && batches >= 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= n);
    if (n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, lu_factor<T>, blocks_for(batches, 1), lu_threads, n, A, lda, pivots, info, batches);
}

template <class T>
Status solve_factored(cublasHandle_t handle, cublasOperation_t trans, int n, int sides, const T* const* A,
                      int lda, const int* pivots, T* const* B, int ldb, int batches) {
    const HostScalars host(handle);
    const auto exchange = [&](bool backwards) {
        if (!pivots) return CUBLAS_STATUS_SUCCESS;
        return launch(handle, exchange_rows<T>, blocks_for(batches, 1), 128, n, sides, B, ldb, pivots,
                      backwards, batches);
    };
    const auto lower = [&] {
        return solve(handle, CUBLAS_FILL_MODE_LOWER, trans, CUBLAS_DIAG_UNIT, n, sides, A, lda, B, ldb,
                     batches);
    };
    const auto upper = [&] {
        return solve(handle, CUBLAS_FILL_MODE_UPPER, trans, CUBLAS_DIAG_NON_UNIT, n, sides, A, lda, B, ldb,
                     batches);
    };
    if (trans == CUBLAS_OP_N) {
        LOCKSTEP_TRY(exchange(false));
        LOCKSTEP_TRY(lower());
        return upper();
    }
    LOCKSTEP_TRY(upper());
    LOCKSTEP_TRY(lower());
    return exchange(true);
}

// `info` is in host memory: which argument was wrong.
template <class T>
Status getrs(cublasHandle_t handle, cublasOperation_t trans, int n, int sides, const T* const* A, int lda,
             const int* pivots, T* const* B, int ldb, int* info, int batches) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(info);
    *info = !valid_operation(trans) ? -1
            : n < 0                 ? -2
            : sides < 0             ? -3
            : lda < larger(1, n)    ? -5
            : ldb < larger(1, n)    ? -8
            : batches < 0           ? -10
                                    : 0;
    LOCKSTEP_REQUIRE(*info == 0);
    if (n == 0 || sides == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    return solve_factored(handle, trans, n, sides, A, lda, pivots, B, ldb, batches);
}

template <class T>
Status getri(cublasHandle_t handle, int n, const T* const* A, int lda, const int* pivots, T* const* C,
             int ldc, int* info, int batches) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(n >= 0 && batches >= 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= n && ldc >= 1 && ldc >= n);
    if (n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    LOCKSTEP_TRY(status_of(cudaMemsetAsync(info, 0, batches * sizeof *info, handle->stream)));
    LOCKSTEP_TRY(launch(handle, set_identity<T>, blocks_for(batches, 1), 128, n, C, ldc, batches));
    return solve_factored(handle, CUBLAS_OP_N, n, n, A, lda, pivots, C, ldc, batches);
}

template <class T>
Status matinv(cublasHandle_t handle, int n, const T* const* A, int lda, T* const* inverses, int ldi,
              int* info, int batches) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(n >= 0 && n <= 32 && batches >= 0);
    LOCKSTEP_REQUIRE(lda >= 1 && lda >= n && ldi >= 1 && ldi >= n);
    if (n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    const std::size_t count = batches, elements = count * n * n * sizeof(T);
    auto* memory = static_cast<char*>(workspace(handle, elements + count * (sizeof(T*) + n * sizeof(int))));
    if (!memory) return CUBLAS_STATUS_ALLOC_FAILED;
    T* copies = reinterpret_cast<T*>(memory);
    T** addresses = reinterpret_cast<T**>(memory + elements);
    int* pivots = reinterpret_cast<int*>(addresses + count);
    LOCKSTEP_TRY(
        launch(handle, gather<T>, blocks_for(batches, 1), 128, n, A, lda, copies, addresses, batches));
    LOCKSTEP_TRY(getrf<T>(handle, n, addresses, n, pivots, info, batches));
    LOCKSTEP_TRY(launch(handle, set_identity<T>, blocks_for(batches, 1), 128, n, inverses, ldi, batches));
    return solve_factored<T>(handle, CUBLAS_OP_N, n, n, addresses, n, pivots, inverses, ldi, batches);
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_ADDRESSES(T, A) reinterpret_cast<Ours<T>* const*>(A)
#define LOCKSTEP_CONST_ADDRESSES(T, A) reinterpret_cast<const Ours<T>* const*>(A)
#define LOCKSTEP_DEFINE_ANY(L, T)                                                                            \
    cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, int* P,      \
                                           int* info, int batchSize) {                                       \
        return getrf(handle, n, LOCKSTEP_ADDRESSES(T, A), lda, P, info, batchSize);                          \
    }                                                                                                        \
    cublasStatus_t cublas##L##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,  \
                                           const T* const A[], int lda, const int* P, T* const B[], int ldb, \
                                           int* info, int batchSize) {                                       \
        return getrs(handle, trans, n, nrhs, LOCKSTEP_CONST_ADDRESSES(T, A), lda, P,                         \
                     LOCKSTEP_ADDRESSES(T, B), ldb, info, batchSize);                                        \
    }                                                                                                        \
    cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const A[], int lda,        \
                                           const int* P, T* const C[], int ldc, int* info, int batchSize) {  \
        return getri(handle, n, LOCKSTEP_CONST_ADDRESSES(T, A), lda, P, LOCKSTEP_ADDRESSES(T, C), ldc, info, \
                     batchSize);                                                                             \
    }                                                                                                        \
    cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const A[], int lda,       \
                                            T* const Ainv[], int lda_inv, int* info, int batchSize) {        \
        return matinv(handle, n, LOCKSTEP_CONST_ADDRESSES(T, A), lda, LOCKSTEP_ADDRESSES(T, Ainv), lda_inv,  \
                      info, batchSize);                                                                      \
    }
LOCKSTEP_DEFINE_ANY(S, float)
LOCKSTEP_DEFINE_ANY(D, double)
LOCKSTEP_DEFINE_ANY(C, cuComplex)
LOCKSTEP_DEFINE_ANY(Z, cuDoubleComplex)
#undef LOCKSTEP_TRSM
#undef LOCKSTEP_ADDRESSES
#undef LOCKSTEP_CONST_ADDRESSES
#undef LOCKSTEP_DEFINE_ANY
