// Numbers as the kernels see them: float, double, and complex of either with the arithmetic that templates
// need. A Complex lies in memory as cuComplex and cuDoubleComplex do.
#pragma once
#include <cuComplex.h>

#include <type_traits>

namespace lockstep::cublas {

template <class R>
struct alignas(2 * sizeof(R)) Complex {
    R re, im;

    Complex() = default;
    __host__ __device__ constexpr Complex(R real, R imaginary = 0) : re(real), im(imaginary) {}

    __host__ __device__ friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    __host__ __device__ friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
    __host__ __device__ friend Complex operator-(Complex a) { return {-a.re, -a.im}; }
    __host__ __device__ friend Complex operator*(Complex a, Complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    __host__ __device__ friend Complex operator*(R a, Complex b) { return {a * b.re, a * b.im}; }
    __host__ __device__ friend bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
    __host__ __device__ friend bool operator!=(Complex a, Complex b) { return !(a == b); }
    // Smith's way: the squares of large parts do not overflow.
    __host__ __device__ friend Complex operator/(Complex a, Complex b) {
        if (fabs(b.re) >= fabs(b.im)) {
            const R ratio = b.im / b.re, divisor = b.re + b.im * ratio;
            return {(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor};
        }
        const R ratio = b.re / b.im, divisor = b.re * ratio + b.im;
        return {(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor};
    }
    __host__ __device__ Complex& operator+=(Complex b) { return *this = *this + b; }
    __host__ __device__ Complex& operator-=(Complex b) { return *this = *this - b; }
};

template <class T>
struct Parts {
    using Real = T;
    static constexpr bool complex = false;
};
template <class R>
struct Parts<Complex<R>> {
    using Real = R;
    static constexpr bool complex = true;
};
template <class T>
using Real = typename Parts<T>::Real;

template <class T>
__host__ __device__ T conjugate(T a) {
    return a;
}
template <class R>
__host__ __device__ Complex<R> conjugate(Complex<R> a) {
    return {a.re, -a.im};
}
template <class T>
__host__ __device__ T conjugate_if(bool yes, T a) {
    return yes ? conjugate(a) : a;
}

template <class T>
__host__ __device__ T real_part(T a) {
    return a;
}
template <class R>
__host__ __device__ R real_part(Complex<R> a) {
    return a.re;
}

// What BLAS calls the size of a number in asum, amax and amin.
template <class T>
__host__ __device__ T size_of(T a) {
    return a < 0 ? -a : a;
}
template <class R>
__host__ __device__ R size_of(Complex<R> a) {
    return size_of(a.re) + size_of(a.im);
}

// c + a * b, fused where that is one instruction.
template <class T>
__host__ __device__ T multiply_add(T a, T b, T c) {
    return c + a * b;
}
template <class R>
__host__ __device__ Complex<R> multiply_add(Complex<R> a, Complex<R> b, Complex<R> c) {
    c.re = c.re + a.re * b.re;
    c.im = c.im + a.re * b.im;
    c.re = c.re - a.im * b.im;
    c.im = c.im + a.im * b.re;
    return c;
}

// From CUDA's types to ours.
inline float* ours(float* p) { return p; }
inline const float* ours(const float* p) { return p; }
inline double* ours(double* p) { return p; }
inline const double* ours(const double* p) { return p; }
inline Complex<float>* ours(cuComplex* p) { return reinterpret_cast<Complex<float>*>(p); }
inline const Complex<float>* ours(const cuComplex* p) { return reinterpret_cast<const Complex<float>*>(p); }
inline Complex<double>* ours(cuDoubleComplex* p) { return reinterpret_cast<Complex<double>*>(p); }
inline const Complex<double>* ours(const cuDoubleComplex* p) {
    return reinterpret_cast<const Complex<double>*>(p);
}

template <class T>
using Ours = std::remove_reference_t<decltype(*ours(static_cast<T*>(nullptr)))>;

}  // namespace lockstep::cublas
