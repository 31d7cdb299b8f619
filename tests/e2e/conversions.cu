// Conversions between all arithmetic types where C++ defines them, and the saturation that the hardware adds.
// RUN: lockstep run %s
// OUT: ^conversions ok$
#include <cmath>
#include <cstring>

#include "support/check.h"

template <class From, class To>
__global__ void convert(const From* in, To* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = static_cast<To>(in[i]);
}

template <class From, class To>
void check_pair(const std::vector<From>& values) {
    int n = static_cast<int>(values.size());
    From* in = to_device(values);
    To* out = device_zeros<To>(n);
    convert<<<1, 64>>>(in, out, n);
    auto h = to_host(out, n);
    for (int i = 0; i < n; ++i) EXPECT_AT(i, h[i], static_cast<To>(values[i]));
    CUDA(cudaFree(in));
    CUDA(cudaFree(out));
}

template <class From>
void check_from(const std::vector<From>& values) {
    check_pair<From, signed char>(values);
    check_pair<From, unsigned char>(values);
    check_pair<From, short>(values);
    check_pair<From, unsigned short>(values);
    check_pair<From, int>(values);
    check_pair<From, unsigned>(values);
    check_pair<From, long long>(values);
    check_pair<From, unsigned long long>(values);
    check_pair<From, float>(values);
    check_pair<From, double>(values);
}

// What C++ leaves open the hardware decides: out of range values stop at the nearest one, NaN becomes 0.
__global__ void saturating(const float* in, int* ints, unsigned* words, long long* longs,
                           unsigned long long* wide, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    ints[i] = __float2int_rz(in[i]);
    words[i] = __float2uint_rz(in[i]);
    longs[i] = __float2ll_rz(in[i]);
    wide[i] = __float2ull_rz(in[i]);
}

__global__ void bit_casts(unsigned* out) {
    out[0] = __float_as_uint(1.5f);
    out[1] = __float_as_uint(__uint_as_float(0x7FC12345u));
    long long bits = __double_as_longlong(-2.5);
    out[2] = static_cast<unsigned>(bits >> 32);
    out[3] = __float_as_uint(static_cast<float>(__longlong_as_double(0x3FF8000000000000ll)));
    out[4] = __double2hiint(-2.5);
    out[5] = __double2loint(1.0 / 3.0);
    out[6] = __float_as_uint(static_cast<float>(__hiloint2double(0x40080000, 0)));
}

int main() {
    check_from<signed char>({0, 1, -1, 127, -128, 50});
    check_from<unsigned char>({0, 1, 127, 128, 255});
    check_from<short>({0, 1, -1, 32767, -32768, 300, -300});
    check_from<unsigned short>({0, 1, 255, 256, 65535});
    check_from<int>({0, 1, -1, 2147483647, -2147483647 - 1, 16777217, 123456789});
    check_from<unsigned>({0, 1, 0x80000000u, 0xFFFFFFFFu, 16777217u});
    check_from<long long>(
        {0, 1, -1, 9223372036854775807ll, -9223372036854775807ll - 1, 9007199254740993ll, 4294967296ll});
    check_from<unsigned long long>({0, 1, 0x8000000000000000ull, 0xFFFFFFFFFFFFFFFFull, 9007199254740993ull});
    // Only what fits every target: the rest C++ does not define.
    check_from<float>({0.0f, 1.0f, 1.5f, 2.999f, 100.25f, 127.0f});
    check_from<double>({0.0, 1.0, 1.5, 2.999999999, 100.25, 127.0});
    check_pair<float, double>({0.1f, -3e38f, 1e-45f, INFINITY});
    check_pair<double, float>({0.1, 1e-46, 1e300, -1e300, 3.4028235677973366e38, 1.0000000596046448});
    check_pair<double, int>({-2147483648.5, 2147483647.9, -0.99});
    check_pair<double, long long>({-9e18, 9e18, -1.5});

    std::vector<float> edges = {0.0f,     -1.0f,     1e10f, -1e10f,        1e30f,         -1e30f,
                                INFINITY, -INFINITY, NAN,   2147483648.0f, 4294967296.0f, -0.5f};
    int n = static_cast<int>(edges.size());
    int* ints = device_zeros<int>(n);
    unsigned* words = device_zeros<unsigned>(n);
    long long* longs = device_zeros<long long>(n);
    auto* wide = device_zeros<unsigned long long>(n);
    saturating<<<1, 32>>>(to_device(edges), ints, words, longs, wide, n);
    auto i32 = to_host(ints, n);
    auto u32 = to_host(words, n);
    auto i64 = to_host(longs, n);
    auto u64 = to_host(wide, n);
    for (int k = 0; k < n; ++k) {
        double x = std::isnan(edges[k]) ? 0 : edges[k];
        EXPECT_AT(k, i32[k],
                  x >= 2147483647.0    ? 2147483647
                  : x <= -2147483648.0 ? -2147483647 - 1
                                       : static_cast<int>(x));
        EXPECT_AT(k, u32[k], x >= 4294967295.0 ? 4294967295u : x <= 0 ? 0 : static_cast<unsigned>(x));
        if (std::isnan(edges[k])) continue;  // 64-bit conversions of NaN give the top bit instead
        EXPECT(i64[k] == (x >= 9223372036854775807.0    ? 9223372036854775807ll
                          : x <= -9223372036854775808.0 ? -9223372036854775807ll - 1
                                                        : static_cast<long long>(x)));
        EXPECT(u64[k] == (x >= 18446744073709551615.0 ? ~0ull
                          : x <= 0                    ? 0
                                                      : static_cast<unsigned long long>(x)));
    }
    unsigned* out = device_zeros<unsigned>(7);
    bit_casts<<<1, 1>>>(out);
    auto h = to_host(out, 7);
    double third = 1.0 / 3.0;
    unsigned long long third_bits = 0;
    std::memcpy(&third_bits, &third, 8);
    const unsigned expected[7] = {0x3FC00000u, 0x7FC12345u, 0xC0040000u,
                                  0x3FC00000u, 0xC0040000u, static_cast<unsigned>(third_bits),
                                  0x40400000u};
    for (int k = 0; k < 7; ++k) EXPECT_AT(k, h[k], expected[k]);
    return finish("conversions");
}
