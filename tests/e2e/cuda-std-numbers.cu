// Algorithms, complex numbers, strings and mathematics of cuda::std, and headers beside it: the host's values
// are held against the host library's, the device's against the host's.
// RUN: lockstep run -std=c++14 %s
// OUT: ^0 wrong$
// RUN: lockstep run -std=c++20 %s
// OUT: ^0 wrong$
#include <cuComplex.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/algorithm>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/new>
#include <cuda/std/numbers>
#include <nv/target>
#include <nvfunctional>
namespace s = cuda::std;

__host__ __device__ int twice(int x) { return 2 * x; }
struct Big {
    double d[10];
    __host__ __device__ int operator()(int x) const { return x + (int)d[9]; }
};

constexpr int most = 80;
struct Values {
    double v[most];
    int n = 0;
    __host__ __device__ void add(double x) { v[n++] = x; }
    __host__ __device__ void add(s::complex<double> z) {
        add(z.real());
        add(z.imag());
    }
};

__host__ __device__ void compute(Values& out) {
    int a[9] = {5, 3, 9, 1, 7, 2, 8, 6, 4};
    out.add(*s::max_element(a, a + 9));
    out.add(s::max({1, 7, 3}) + s::min(3, 4));
    out.add(s::count_if(a, a + 9, [](int x) { return x > 4; }));
    s::sort(a, a + 9);
    out.add(s::is_sorted(a, a + 9) + *s::lower_bound(a, a + 9, 5) + s::binary_search(a, a + 9, 8));
    s::sort(a, a + 9, s::greater<>());
    out.add(a[0]);
    s::rotate(a, a + 2, a + 9);
    out.add(a[0]);
    out.add(s::remove_if(a, a + 9, [](int x) { return x % 2; }) - a);
    out.add(s::strlen("hello") + s::strcmp("a", "b") + s::div(7, 2).rem);
    nvstd::function<int(int)> f = twice, g;
    out.add(f(3) + !g);
    int k = 4;
    g = [k](int x) { return x + k; };
    f = g;
    Big b;
    b.d[9] = 7;
    nvstd::function<int(int)> h = b;
    out.add(f(2) * 100 + h(1));
    out.add(cuda::ceil_div(7, 2) + cuda::round_up(5u, 4u) + cuda::next_power_of_two(9) + cuda::ilog2(1000));
    out.add(cuda::maximum<>()(2, 3.5));
    out.add(cuCabs(make_cuDoubleComplex(3e200, 4e200)) / 1e200);
    out.add(cuCdivf(make_cuFloatComplex(3, 4), make_cuFloatComplex(1, 2)).x);
    out.add(s::numbers::pi + s::sqrt(2.0) + s::abs(-3) + s::isnan(1.0));
    int side = 0;
    NV_IF_TARGET(NV_IS_DEVICE, (side = 1;), (side = 1;))
    NV_DISPATCH_TARGET(NV_PROVIDES_SM_120, (side += 100;), NV_PROVIDES_SM_80, (side += 1;), NV_ANY_TARGET,
                       (side += 1;))
    out.add(side);
    const s::complex<double> z(1.25, -0.5), w(-0.75, 2);
    out.add(z * w);
    out.add(z / w);
    out.add(s::exp(z));
    out.add(s::log(w));
    out.add(s::sqrt(w));
    out.add(s::pow(z, w));
    out.add(s::sin(z));
    out.add(s::cos(z));
    out.add(s::tan(w));
    out.add(s::tanh(z));
    out.add(s::asin(z));
    out.add(s::acos(w));
    out.add(s::atan(z));
    out.add(s::asinh(w));
    out.add(s::acosh(z));
    out.add(s::polar(2.0, 0.5));
    out.add(s::norm(z) + s::abs(w) + s::arg(w));
}
__global__ void run(Values* out) { compute(*out); }

int main() {
    Values expected, host, *device;
    const std::complex<double> z(1.25, -0.5), w(-0.75, 2);
    const double plain[] = {9, 10, 5, 7, 9, 7, 4, 5, 7, 608, 4 + 8 + 16 + 9, 3.5, 5, 2.2f, M_PI + M_SQRT2 + 3,
                            2};
    for (double v : plain) expected.add(v);
    for (auto c : {z * w, z / w, std::exp(z), std::log(w), std::sqrt(w), std::pow(z, w), std::sin(z),
                   std::cos(z), std::tan(w), std::tanh(z), std::asin(z), std::acos(w), std::atan(z),
                   std::asinh(w), std::acosh(z), std::polar(2.0, 0.5)}) {
        expected.add(c.real());
        expected.add(c.imag());
    }
    expected.add(std::norm(z) + std::abs(w) + std::arg(w));
    compute(host);
    cudaMallocManaged(&device, sizeof *device);
    new (device) Values();
    run<<<1, 1>>>(device);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int wrong = expected.n != host.n || host.n != device->n;
    for (int i = 0; i < host.n; ++i) {
        const double e = expected.v[i], near = 1e-13 * std::max(1.0, std::fabs(e));
        if (std::fabs(host.v[i] - e) < near && std::fabs(device->v[i] - e) < near) continue;
        std::printf("%d: expected %.17g host %.17g device %.17g\n", i, e, host.v[i], device->v[i]);
        ++wrong;
    }
    std::printf("%d wrong\n", wrong);
}
