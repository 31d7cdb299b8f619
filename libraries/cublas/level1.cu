// What level 1 does element by element: axpy, copy, swap, scal, rot, rotm; and the rotations' own numbers:
// rotg, rotmg.
#include "cublas/context.h"

namespace lockstep::cublas {

constexpr int vector_threads = 256;

// Element i of many: each thread takes every so-manieth.
#define LOCKSTEP_EACH(i, n)                                                           \
    for (long long step = static_cast<long long>(gridDim.x) * blockDim.x,             \
                   i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; \
         i < n; i += step)

template <class T>
__global__ void axpy_kernel(int n, Scalar<T> alpha, Vector<const T> x, Vector<T> y) {
    const T a = alpha.get();
    LOCKSTEP_EACH(i, n) y[i] = multiply_add(a, x[i], y[i]);
}

template <class T>
__global__ void copy_kernel(int n, Vector<const T> x, Vector<T> y) {
    LOCKSTEP_EACH(i, n) y[i] = x[i];
}

template <class T>
__global__ void swap_kernel(int n, Vector<T> x, Vector<T> y) {
    LOCKSTEP_EACH(i, n) {
        const T kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

template <class A, class T>
__global__ void scal_kernel(int n, Scalar<A> alpha, Vector<T> x) {
    const A a = alpha.get();
    LOCKSTEP_EACH(i, n) x[i] = a * x[i];
}

template <class T, class S>
__global__ void rot_kernel(int n, Vector<T> x, Vector<T> y, Scalar<Real<T>> cosine, Scalar<S> sine) {
    const Real<T> c = cosine.get();
    const S s = sine.get();
    LOCKSTEP_EACH(i, n) {
        const T a = x[i], b = y[i];
        x[i] = c * a + s * b;
        y[i] = c * b - conjugate(s) * a;
    }
}

// The matrix of a modified rotation, [[h11 h12] [h21 h22]], of which `flag` says what is stored.
template <class T>
struct ModifiedRotation {
    T flag, h11, h21, h12, h22;

    __host__ __device__ void complete() {
        if (flag == 0) h11 = h22 = 1;
        if (flag == 1) h12 = 1, h21 = -1;
    }
};

template <class T>
__global__ void rotm_kernel(int n, Vector<T> x, Vector<T> y, Scalar<ModifiedRotation<T>> parameters) {
    ModifiedRotation<T> h = parameters.get();
    if (h.flag == -2) return;  // the identity
    h.complete();
    LOCKSTEP_EACH(i, n) {
        const T a = x[i], b = y[i];
        x[i] = h.h11 * a + h.h12 * b;
        y[i] = h.h21 * a + h.h22 * b;
    }
}

template <class R>
__host__ __device__ void make_rotation(R& a, R& b, R& c, R& s) {
    const R size_a = size_of(a), size_b = size_of(b), scale = size_a + size_b;
    if (scale == 0) {
        c = 1;
        s = a = b = 0;
        return;
    }
    const R roe = size_a > size_b ? a : b;
    R r = scale * sqrt((a / scale) * (a / scale) + (b / scale) * (b / scale));
    if (roe < 0) r = -r;
    c = a / r;
    s = b / r;
    b = size_a > size_b ? s : c != 0 ? 1 / c : R(1);  // from which c and s can be told again
    a = r;
}

template <class R>
__host__ __device__ R modulus(Complex<R> a) {
    if constexpr (sizeof(R) == 4)
        return hypotf(a.re, a.im);
    else
        return hypot(a.re, a.im);
}
template <class R>
__host__ __device__ void make_rotation(Complex<R>& a, Complex<R>& b, R& c, Complex<R>& s) {
    const R size_a = modulus(a);
    if (size_a == 0) {
        c = 0;
        s = R(1);
        a = b;
        return;
    }
    const R scale = size_a + modulus(b), r = scale * modulus(Complex<R>(size_a / scale, modulus(b) / scale));
    const Complex<R> direction = (1 / size_a) * a;
    c = size_a / r;
    s = (1 / r) * (direction * conjugate(b));
    a = r * direction;
}

// Keeps a weight of a modified rotation within [1/4096^2, 4096^2], for which the matrix's row is scaled.
template <class T>
__host__ __device__ bool out_of_range(T d) {
    constexpr T most = 4096 * 4096;
    return d != 0 && (size_of(d) <= 1 / most || size_of(d) >= most);
}

template <class T>
__host__ __device__ void make_modified_rotation(T& d1, T& d2, T& x1, T y1, ModifiedRotation<T>& h) {
    constexpr T gamma = 4096;
    h.h11 = h.h12 = h.h21 = h.h22 = 0;
    const T p2 = d2 * y1, p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
    if (d1 < 0 || (size_of(q1) <= size_of(q2) && q2 < 0)) {
        h.flag = -1;
        d1 = d2 = x1 = 0;
        return;
    }
    if (p2 == 0) {
        h.flag = -2;
        return;
    }
    if (size_of(q1) > size_of(q2)) {
        h.h21 = -y1 / x1;
        h.h12 = p2 / p1;
        const T u = 1 - h.h12 * h.h21;
        if (u <= 0) {  // only by rounding
            h = {-1, 0, 0, 0, 0};
            d1 = d2 = x1 = 0;
            return;
        }
        h.flag = 0;
        d1 /= u;
        d2 /= u;
        x1 *= u;
    } else {
        h.flag = 1;
        h.h11 = p1 / p2;
        h.h22 = x1 / y1;
        const T u = 1 + h.h11 * h.h22, kept = d2 / u;
        d2 = d1 / u;
        d1 = kept;
        x1 = y1 * u;
    }
    while (out_of_range(d1)) {
        h.complete();
        h.flag = -1;
        const T factor = size_of(d1) <= 1 ? gamma : 1 / gamma;
        d1 *= factor * factor;
        x1 /= factor;
        h.h11 /= factor;
        h.h12 /= factor;
    }
    while (out_of_range(d2)) {
        h.complete();
        h.flag = -1;
        const T factor = size_of(d2) <= 1 ? gamma : 1 / gamma;
        d2 *= factor * factor;
        h.h21 /= factor;
        h.h22 /= factor;
    }
}

template <class T, class S>
__global__ void rotg_kernel(T* a, T* b, Real<T>* c, S* s) {
    make_rotation(*a, *b, *c, *s);
}
template <class T>
__global__ void rotmg_kernel(T* d1, T* d2, T* x1, const T* y1, ModifiedRotation<T>* parameters) {
    make_modified_rotation(*d1, *d2, *x1, *y1, *parameters);
}

namespace {

int vector_blocks(std::int64_t n) { return blocks_for(n, vector_threads, 16384); }

template <class T>
Status axpy(cublasHandle_t handle, std::int64_t n, const T* alpha, const T* x, std::int64_t incx, T* y,
            std::int64_t incy) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(alpha);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0 || (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST && *alpha == T(0)))
        return CUBLAS_STATUS_SUCCESS;
    return launch(handle, axpy_kernel<T>, vector_blocks(n), vector_threads, n, scalar(handle, alpha),
                  vector(x, n, incx), vector(y, n, incy));
}

template <class T>
Status copy(cublasHandle_t handle, std::int64_t n, const T* x, std::int64_t incx, T* y, std::int64_t incy) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, copy_kernel<T>, vector_blocks(n), vector_threads, n, vector(x, n, incx),
                  vector(y, n, incy));
}

template <class T>
Status swap(cublasHandle_t handle, std::int64_t n, T* x, std::int64_t incx, T* y, std::int64_t incy) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, swap_kernel<T>, vector_blocks(n), vector_threads, n, vector(x, n, incx),
                  vector(y, n, incy));
}

template <class A, class T>
Status scal(cublasHandle_t handle, std::int64_t n, const A* alpha, T* x, std::int64_t incx) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(alpha);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, scal_kernel<A, T>, vector_blocks(n), vector_threads, n, scalar(handle, alpha),
                  vector(x, n, incx));
}

template <class T, class S>
Status rot(cublasHandle_t handle, std::int64_t n, T* x, std::int64_t incx, T* y, std::int64_t incy,
           const Real<T>* c, const S* s) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(c && s);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, rot_kernel<T, S>, vector_blocks(n), vector_threads, n, vector(x, n, incx),
                  vector(y, n, incy), scalar(handle, c), scalar(handle, s));
}

template <class T>
Status rotm(cublasHandle_t handle, std::int64_t n, T* x, std::int64_t incx, T* y, std::int64_t incy,
            const T* param) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(param);
    LOCKSTEP_REQUIRE_SIZES(n);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return launch(handle, rotm_kernel<T>, vector_blocks(n), vector_threads, n, vector(x, n, incx),
                  vector(y, n, incy), scalar(handle, reinterpret_cast<const ModifiedRotation<T>*>(param)));
}

// A few numbers: computed where they lie.
template <class T, class S>
Status rotg(cublasHandle_t handle, T* a, T* b, Real<T>* c, S* s) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(a && b && c && s);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return launch(handle, rotg_kernel<T, S>, 1, 1, a, b, c, s);
    make_rotation(*a, *b, *c, *s);
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
Status rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(d1 && d2 && x1 && y1 && param);
    auto* h = reinterpret_cast<ModifiedRotation<T>*>(param);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return launch(handle, rotmg_kernel<T>, 1, 1, d1, d2, x1, y1, h);
    make_modified_rotation(*d1, *d2, *x1, *y1, *h);
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

cublasStatus_t cublasSrotg_v2(cublasHandle_t handle, float* a, float* b, float* c, float* s) {
    return rotg(handle, a, b, c, s);
}
cublasStatus_t cublasDrotg_v2(cublasHandle_t handle, double* a, double* b, double* c, double* s) {
    return rotg(handle, a, b, c, s);
}
cublasStatus_t cublasCrotg_v2(cublasHandle_t handle, cuComplex* a, cuComplex* b, float* c, cuComplex* s) {
    return rotg(handle, ours(a), ours(b), c, ours(s));
}
cublasStatus_t cublasZrotg_v2(cublasHandle_t handle, cuDoubleComplex* a, cuDoubleComplex* b, double* c,
                              cuDoubleComplex* s) {
    return rotg(handle, ours(a), ours(b), c, ours(s));
}
cublasStatus_t cublasSrotmg_v2(cublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1,
                               float* param) {
    return rotmg(handle, d1, d2, x1, y1, param);
}
cublasStatus_t cublasDrotmg_v2(cublasHandle_t handle, double* d1, double* d2, double* x1, const double* y1,
                               double* param) {
    return rotmg(handle, d1, d2, x1, y1, param);
}

#define LOCKSTEP_DEFINE_VECTORS(L, T, Int, suffix)                                                      \
    cublasStatus_t cublas##L##axpy_v2##suffix(cublasHandle_t handle, Int n, const T* alpha, const T* x, \
                                              Int incx, T* y, Int incy) {                               \
        return axpy(handle, n, ours(alpha), ours(x), incx, ours(y), incy);                              \
    }                                                                                                   \
    cublasStatus_t cublas##L##copy_v2##suffix(cublasHandle_t handle, Int n, const T* x, Int incx, T* y, \
                                              Int incy) {                                               \
        return copy(handle, n, ours(x), incx, ours(y), incy);                                           \
    }                                                                                                   \
    cublasStatus_t cublas##L##swap_v2##suffix(cublasHandle_t handle, Int n, T* x, Int incx, T* y,       \
                                              Int incy) {                                               \
        return swap(handle, n, ours(x), incx, ours(y), incy);                                           \
    }
#define LOCKSTEP_DEFINE_SCAL(name, A, T, Int, suffix)                                           \
    cublasStatus_t name##suffix(cublasHandle_t handle, Int n, const A* alpha, T* x, Int incx) { \
        return scal(handle, n, ours(alpha), ours(x), incx);                                     \
    }
#define LOCKSTEP_DEFINE_ROT(name, T, C, S, Int, suffix)                                                   \
    cublasStatus_t name##suffix(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy, const C* c, \
                                const S* s) {                                                             \
        return rot(handle, n, ours(x), incx, ours(y), incy, c, ours(s));                                  \
    }
#define LOCKSTEP_DEFINE_ROTM(name, T, Int, suffix)                                            \
    cublasStatus_t name##suffix(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy, \
                                const T* param) {                                             \
        return rotm(handle, n, x, incx, y, incy, param);                                      \
    }
#define LOCKSTEP_DEFINE(Int, suffix)                                                          \
    LOCKSTEP_DEFINE_VECTORS(S, float, Int, suffix)                                            \
    LOCKSTEP_DEFINE_VECTORS(D, double, Int, suffix)                                           \
    LOCKSTEP_DEFINE_VECTORS(C, cuComplex, Int, suffix)                                        \
    LOCKSTEP_DEFINE_VECTORS(Z, cuDoubleComplex, Int, suffix)                                  \
    LOCKSTEP_DEFINE_SCAL(cublasSscal_v2, float, float, Int, suffix)                           \
    LOCKSTEP_DEFINE_SCAL(cublasDscal_v2, double, double, Int, suffix)                         \
    LOCKSTEP_DEFINE_SCAL(cublasCscal_v2, cuComplex, cuComplex, Int, suffix)                   \
    LOCKSTEP_DEFINE_SCAL(cublasZscal_v2, cuDoubleComplex, cuDoubleComplex, Int, suffix)       \
    LOCKSTEP_DEFINE_SCAL(cublasCsscal_v2, float, cuComplex, Int, suffix)                      \
    LOCKSTEP_DEFINE_SCAL(cublasZdscal_v2, double, cuDoubleComplex, Int, suffix)               \
    LOCKSTEP_DEFINE_ROT(cublasSrot_v2, float, float, float, Int, suffix)                      \
    LOCKSTEP_DEFINE_ROT(cublasDrot_v2, double, double, double, Int, suffix)                   \
    LOCKSTEP_DEFINE_ROT(cublasCrot_v2, cuComplex, float, cuComplex, Int, suffix)              \
    LOCKSTEP_DEFINE_ROT(cublasCsrot_v2, cuComplex, float, float, Int, suffix)                 \
    LOCKSTEP_DEFINE_ROT(cublasZrot_v2, cuDoubleComplex, double, cuDoubleComplex, Int, suffix) \
    LOCKSTEP_DEFINE_ROT(cublasZdrot_v2, cuDoubleComplex, double, double, Int, suffix)         \
    LOCKSTEP_DEFINE_ROTM(cublasSrotm_v2, float, Int, suffix)                                  \
    LOCKSTEP_DEFINE_ROTM(cublasDrotm_v2, double, Int, suffix)
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_EACH
#undef LOCKSTEP_DEFINE_VECTORS
#undef LOCKSTEP_DEFINE_SCAL
#undef LOCKSTEP_DEFINE_ROT
#undef LOCKSTEP_DEFINE_ROTM
#undef LOCKSTEP_DEFINE
