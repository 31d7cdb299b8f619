// dot, asum, nrm2, amax and amin.
#include "cublas/reduce.h"

namespace lockstep::cublas {

template <class T, bool conjugated>
struct Dot {
    using Value = T;
    using Result = T;
    Vector<const T> x, y;

    __device__ Value identity() const { return T(0); }
    __device__ Value load(int i) const { return (conjugated ? conjugate(x[i]) : x[i]) * y[i]; }
    __device__ Value combine(Value a, Value b) const { return a + b; }
    __device__ Result finish(Value value) const { return value; }
};

template <class T>
struct Asum {
    using Value = Real<T>;
    using Result = Real<T>;
    Vector<const T> x;

    __device__ Value identity() const { return 0; }
    __device__ Value load(int i) const { return size_of(x[i]); }
    __device__ Value combine(Value a, Value b) const { return a + b; }
    __device__ Result finish(Value value) const { return value; }
};

// Squares of numbers that are very small, very large or neither are summed apart, the first two scaled:
// nothing overflows or vanishes, and no element needs a division (J. L. Blue, 1978). Limits and scales are
// powers of two.
template <class R>
struct BlueScales;
template <>
struct BlueScales<float> {
    static constexpr float small = 0x1p-63f, large = 0x1p52f, up = 0x1p75f, down = 0x1p-76f;
};
template <>
struct BlueScales<double> {
    static constexpr double small = 0x1p-511, large = 0x1p486, up = 0x1p537, down = 0x1p-538;
};

template <class T>
struct Nrm2 {
    using R = Real<T>;
    struct Value {
        R small, medium, large;
    };
    using Result = R;
    using Scales = BlueScales<R>;
    Vector<const T> x;

    __device__ Value identity() const { return {0, 0, 0}; }
    __device__ static Value square(R a) {
        a = size_of(a);
        if (a > Scales::large) return {0, 0, (a * Scales::down) * (a * Scales::down)};
        if (a < Scales::small) return {(a * Scales::up) * (a * Scales::up), 0, 0};
        return {0, a * a, 0};
    }
    __device__ Value load(int i) const {
        const T element = x[i];
        if constexpr (Parts<T>::complex)
            return combine(square(element.re), square(element.im));
        else
            return square(element);
    }
    __device__ Value combine(Value a, Value b) const {
        return {a.small + b.small, a.medium + b.medium, a.large + b.large};
    }
    __device__ Result finish(Value value) const {
        const bool medium = !(value.medium == 0);  // NaN, too
        if (value.large > 0) {
            const R sum = value.large + (medium ? (value.medium * Scales::down) * Scales::down : R(0));
            return sqrt(sum) / Scales::down;
        }
        if (value.small > 0) {
            const R small = sqrt(value.small) / Scales::up;
            if (!medium) return small;
            const R other = sqrt(value.medium), larger = other < small ? small : other,
                    smaller = other < small ? other : small;
            return larger * sqrt(1 + (smaller / larger) * (smaller / larger));
        }
        return sqrt(value.medium);
    }
};

// The first of the largest or smallest elements, counted from 1.
template <class T, bool smallest>
struct Extreme {
    struct alignas(8) Value {
        Real<T> size;
        int index;  // -1: none
    };
    using Result = int;
    Vector<const T> x;

    __device__ Value identity() const { return {0, -1}; }
    __device__ Value load(int i) const { return {size_of(x[i]), i}; }
    __device__ Value combine(Value a, Value b) const {
        if (b.index < 0) return a;
        if (a.index < 0) return b;
        if (a.size == b.size) return a.index < b.index ? a : b;
        return (smallest ? b.size < a.size : b.size > a.size) ? b : a;
    }
    __device__ Result finish(Value value) const { return value.index + 1; }
};

namespace {

// Of nothing, the result is zero.
template <class R>
Status give_zero(cublasHandle_t handle, R* result) {
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return status_of(cudaMemsetAsync(result, 0, sizeof(R), handle->stream));
    *result = R(0);
    return CUBLAS_STATUS_SUCCESS;
}

template <bool conjugated, class T>
Status dot(cublasHandle_t handle, std::int64_t n, const T* x, std::int64_t incx, const T* y,
           std::int64_t incy, T* result) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(result);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0) return give_zero(handle, result);
    return reduce(handle, Dot<T, conjugated>{vector(x, n, incx), vector(y, n, incy)}, n, result);
}

// BLAS looks at no element of a vector that runs backwards.
template <class Reduction, class T>
Status one_vector(cublasHandle_t handle, std::int64_t n, const T* x, std::int64_t incx,
                  typename Reduction::Result* result) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(result);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0 || incx <= 0) return give_zero(handle, result);
    return reduce(handle, Reduction{vector(x, n, incx)}, n, result);
}

template <class Reduction, class T>
Status index_in(cublasHandle_t handle, std::int64_t n, const T* x, std::int64_t incx, int* result) {
    return one_vector<Reduction>(handle, n, x, incx, result);
}
// Indices fit 32 bits, the upper ones are zero.
template <class Reduction, class T>
Status index_in(cublasHandle_t handle, std::int64_t n, const T* x, std::int64_t incx, std::int64_t* result) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(result);
    LOCKSTEP_TRY(give_zero(handle, result));
    return one_vector<Reduction>(handle, n, x, incx, reinterpret_cast<int*>(result));
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_DEFINE_DOT(name, conjugated, T, Int, suffix)                                             \
    cublasStatus_t name##suffix(cublasHandle_t handle, Int n, const T* x, Int incx, const T* y, Int incy, \
                                T* result) {                                                              \
        return dot<conjugated>(handle, n, ours(x), incx, ours(y), incy, ours(result));                    \
    }
#define LOCKSTEP_DEFINE_SIZES(L, l, T, R, Int, suffix)                                             \
    cublasStatus_t cublas##L##asum_v2##suffix(cublasHandle_t handle, Int n, const T* x, Int incx,  \
                                              R* result) {                                         \
        return one_vector<Asum<Ours<T>>>(handle, n, ours(x), incx, result);                        \
    }                                                                                              \
    cublasStatus_t cublas##L##nrm2_v2##suffix(cublasHandle_t handle, Int n, const T* x, Int incx,  \
                                              R* result) {                                         \
        return one_vector<Nrm2<Ours<T>>>(handle, n, ours(x), incx, result);                        \
    }                                                                                              \
    cublasStatus_t cublasI##l##amax_v2##suffix(cublasHandle_t handle, Int n, const T* x, Int incx, \
                                               Int* result) {                                      \
        return index_in<Extreme<Ours<T>, false>>(handle, n, ours(x), incx, result);                \
    }                                                                                              \
    cublasStatus_t cublasI##l##amin_v2##suffix(cublasHandle_t handle, Int n, const T* x, Int incx, \
                                               Int* result) {                                      \
        return index_in<Extreme<Ours<T>, true>>(handle, n, ours(x), incx, result);                 \
    }
#define LOCKSTEP_DEFINE(Int, suffix)                                         \
    LOCKSTEP_DEFINE_DOT(cublasSdot_v2, false, float, Int, suffix)            \
    LOCKSTEP_DEFINE_DOT(cublasDdot_v2, false, double, Int, suffix)           \
    LOCKSTEP_DEFINE_DOT(cublasCdotu_v2, false, cuComplex, Int, suffix)       \
    LOCKSTEP_DEFINE_DOT(cublasCdotc_v2, true, cuComplex, Int, suffix)        \
    LOCKSTEP_DEFINE_DOT(cublasZdotu_v2, false, cuDoubleComplex, Int, suffix) \
    LOCKSTEP_DEFINE_DOT(cublasZdotc_v2, true, cuDoubleComplex, Int, suffix)  \
    LOCKSTEP_DEFINE_SIZES(S, s, float, float, Int, suffix)                   \
    LOCKSTEP_DEFINE_SIZES(D, d, double, double, Int, suffix)                 \
    LOCKSTEP_DEFINE_SIZES(Sc, c, cuComplex, float, Int, suffix)              \
    LOCKSTEP_DEFINE_SIZES(Dz, z, cuDoubleComplex, double, Int, suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_DEFINE_DOT
#undef LOCKSTEP_DEFINE_SIZES
#undef LOCKSTEP_DEFINE
