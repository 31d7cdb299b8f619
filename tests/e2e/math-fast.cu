// The fast intrinsics stay within the errors that CUDA documents, with and without -use_fast_math.
// RUN: lockstep run %s
// OUT: ^math-fast ok$
// RUN: lockstep run -use_fast_math %s
// OUT: ^math-fast ok$
#include "support/accuracy.h"

__global__ void fast(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], *o = out + i * 12;
    o[0] = __sinf(v - 3.0f);
    o[1] = __cosf(v - 3.0f);
    o[2] = __expf(v);
    o[3] = __logf(v);
    o[4] = __log2f(v);
    o[5] = __powf(v, 1.5f);
    o[6] = __fdividef(1.0f, v);
    o[7] = __frcp_rn(v);
    o[8] = __fsqrt_rn(v);
    o[9] = __frsqrt_rn(v);
    o[10] = __saturatef(v - 2.0f);
    o[11] = __fdiv_rn(v, 3.0f);
}

__global__ void rounding(float* out) {
    float third = 1.0f / 3.0f, x = 16777216.0f;
    out[0] = __fadd_rz(x, 1.0f) - x;
    out[1] = __fadd_ru(x, 1.0f) - x;
    out[2] = __fadd_rd(x, 1.0f) - x;
    out[3] = __fmul_ru(third, third) - __fmul_rd(third, third);
    out[4] = __fmaf_rz(third, third, -1.0f);
    out[5] = static_cast<float>(__float2int_rz(-2.7f) * 1000 + __float2int_ru(2.1f) * 100 +
                                __float2int_rd(2.9f) * 10 + __float2int_rn(2.5f));
    out[6] = __int2float_rz(16777217) - 16777216.0f;
    out[7] = static_cast<float>(__double2float_ru(1.0 + 1e-12) - 1.0f);
}

int main() {
    std::vector<float> x;
    for (int i = 1; i <= 1000; ++i) x.push_back(i * 0.006f);
    int n = static_cast<int>(x.size());
    float* out = device_zeros<float>(n * 12);
    fast<<<(n + 63) / 64, 64>>>(to_device(x), out, n);
    auto h = to_host(out, n * 12);
    for (int i = 0; i < n; ++i) {
        const float* o = &h[i * 12];
        double v = x[i];
        EXPECT(std::fabs(o[0] - std::sin(static_cast<double>(x[i] - 3.0f))) <= std::exp2(-21.41));
        EXPECT(std::fabs(o[1] - std::cos(static_cast<double>(x[i] - 3.0f))) <= std::exp2(-21.19));
        EXPECT(ulps_between(o[2], static_cast<float>(std::exp(v))) <= 2 + std::floor(std::fabs(1.173 * v)));
        EXPECT(v >= 0.5 && v <= 2 ? std::fabs(o[3] - std::log(v)) <= std::exp2(-21.41)
                                  : ulps_between(o[3], static_cast<float>(std::log(v))) <= 3);
        EXPECT(v >= 0.5 && v <= 2 ? std::fabs(o[4] - std::log2(v)) <= std::exp2(-22)
                                  : ulps_between(o[4], static_cast<float>(std::log2(v))) <= 2);
        EXPECT(std::fabs(o[5] / std::pow(v, 1.5) - 1) <= 3e-6);
        EXPECT(ulps_between(o[6], static_cast<float>(1 / v)) <= 2);
        EXPECT(o[7] == static_cast<float>(1 / v));
        EXPECT(o[8] == static_cast<float>(std::sqrt(v)));
        EXPECT(o[9] == static_cast<float>(1 / std::sqrt(v)));
        float shifted = x[i] - 2.0f;
        EXPECT(o[10] == (shifted < 0 ? 0.0f : shifted > 1 ? 1.0f : shifted));
        EXPECT(o[11] == x[i] / 3.0f);
    }
    rounding<<<1, 1>>>(out);
    auto r = to_host(out, 8);
    EXPECT_AT(0, r[0], 0.0f);
    EXPECT_AT(1, r[1], 2.0f);
    EXPECT_AT(2, r[2], 0.0f);
    EXPECT(r[3] > 0 && r[3] < 1e-8f);
    float third = 1.0f / 3.0f;
    double exact = static_cast<double>(third) * third - 1.0;
    EXPECT(r[4] >= exact && ulps_between(r[4], static_cast<float>(exact)) <= 1);
    EXPECT_AT(5, r[5], -2000 + 300 + 20 + 2);
    EXPECT_AT(6, r[6], 0.0f);
    EXPECT_AT(7, r[7], std::exp2(-23.0f));
    return finish("math-fast");
}
