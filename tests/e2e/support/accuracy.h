// Measures a math function on the device against the host's long double, in units in the last place of the
// correctly rounded result: the way CUDA's documentation states its bounds.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "check.h"

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// Neighbouring numbers get neighbouring integers, through zero too.
template <class T>
Bits<T> ordered(T x) {
    Bits<T> bits;
    std::memcpy(&bits, &x, sizeof x);
    return bits < 0 ? std::numeric_limits<Bits<T>>::min() - bits : bits;
}

template <class T>
double ulps_between(T got, T expected) {
    if (std::isnan(got) || std::isnan(expected))
        return std::isnan(got) && std::isnan(expected) ? 0 : INFINITY;
    if (got == expected) return 0;
    if (std::isinf(got) != std::isinf(expected)) {  // the step from the largest number to infinity is one ulp
        T largest = std::copysign(std::numeric_limits<T>::max(), std::isinf(got) ? got : expected);
        return 1 + std::fabs(static_cast<double>(ordered(std::isinf(got) ? expected : got)) -
                             static_cast<double>(ordered(largest)));
    }
    using Wide = __int128;
    return static_cast<double>(
        std::abs(static_cast<double>(static_cast<Wide>(ordered(got)) - ordered(expected))));
}

// Values from low to high: evenly, by powers of two, and the special ones.
template <class T>
std::vector<T> inputs(double low, double high) {
    std::vector<T> x = {T(0),
                        -T(0),
                        T(1),
                        T(-1),
                        T(0.5),
                        T(2),
                        T(10),
                        static_cast<T>(low),
                        static_cast<T>(high),
                        std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN()};
    std::uint64_t state = 0x9E3779B97F4A7C15ull;
    auto random = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) / 9007199254740992.0;
    };
    for (int i = 0; i < 1500; ++i) x.push_back(static_cast<T>(low + (high - low) * random()));
    double reach = std::max(std::fabs(low), std::fabs(high));
    for (int i = 0; i < 500; ++i) {
        T value = static_cast<T>(reach * std::exp2(-40.0 * random()));
        if (low < 0 && i % 2) value = -value;
        if (value >= static_cast<T>(low) && value <= static_cast<T>(high)) x.push_back(value);
    }
    return x;
}

template <class T>
void judge(const char* name, double bound, const std::vector<T>& x, const std::vector<T>& y,
           const std::vector<T>& got, long double (*exact)(long double, long double)) {
    double worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        T expected = static_cast<T>(exact(static_cast<long double>(x[i]), static_cast<long double>(y[i])));
        double error = ulps_between(got[i], expected);
        if (!(error <= worst)) {
            worst = error;
            at = i;
        }
    }
    if (worst <= bound) return;
    ++failures();
    T expected = static_cast<T>(exact(static_cast<long double>(x[at]), static_cast<long double>(y[at])));
    std::printf("%s(%.17g, %.17g) is %.17g, expected %.17g: %g ulp, allowed %g\n", name,
                static_cast<double>(x[at]), static_cast<double>(y[at]), static_cast<double>(got[at]),
                static_cast<double>(expected), worst, bound);
}

// One row of a table: a kernel for the device's function, and a comparison with the host's.
#define UNARY(T, device, bound, low, high, host)                                  \
    __global__ void kernel_##device(const T* x, T* out, int n) {                  \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                            \
        if (i < n) out[i] = device(x[i]);                                         \
    }                                                                             \
    static void check_##device() {                                                \
        std::vector<T> x = inputs<T>(low, high);                                  \
        int n = static_cast<int>(x.size());                                       \
        T *device_x = to_device(x), *out = device_zeros<T>(x.size());             \
        kernel_##device<<<(n + 127) / 128, 128>>>(device_x, out, n);              \
        judge<T>(#device, bound, x, x, to_host(out, x.size()),                    \
                 [](long double v, long double) -> long double { return host; }); \
        CUDA(cudaFree(device_x));                                                 \
        CUDA(cudaFree(out));                                                      \
    }

#define BINARY(T, device, bound, low, high, low2, high2, host)                              \
    __global__ void kernel_##device(const T* x, const T* y, T* out, int n) {                \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                      \
        if (i < n) out[i] = device(x[i], y[i]);                                             \
    }                                                                                       \
    static void check_##device() {                                                          \
        std::vector<T> x = inputs<T>(low, high), y = inputs<T>(low2, high2);                \
        size_t size = std::min(x.size(), y.size());                                         \
        x.resize(size);                                                                     \
        y.resize(size);                                                                     \
        for (size_t i = 0; i < size; ++i) std::swap(y[i], y[i * 7919 % size]);              \
        int n = static_cast<int>(size);                                                     \
        T *device_x = to_device(x), *device_y = to_device(y), *out = device_zeros<T>(size); \
        kernel_##device<<<(n + 127) / 128, 128>>>(device_x, device_y, out, n);              \
        judge<T>(#device, bound, x, y, to_host(out, size),                                  \
                 [](long double v, long double w) -> long double { return host; });         \
        CUDA(cudaFree(device_x));                                                           \
        CUDA(cudaFree(device_y));                                                           \
        CUDA(cudaFree(out));                                                                \
    }
