// float16 and bfloat16: conversion with rounding, arithmetic, comparison, pairs, against exact references.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^half ok$
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>

#include "support/check.h"

// The nearest value with `digits` significant bits and exponents from `lowest` on, ties to even: what both
// formats do.
static float rounded(double x, int digits, int lowest, double largest) {
    if (x == 0 || std::isnan(x) || std::isinf(x)) return static_cast<float>(x);
    int exponent = 0;
    std::frexp(x, &exponent);
    int last = exponent - digits < lowest - digits + 1 ? lowest - digits + 1 : exponent - digits;
    double scaled = std::nearbyint(std::ldexp(x, -last));
    double result = std::ldexp(scaled, last);
    if (std::fabs(result) > largest) return static_cast<float>(std::copysign(INFINITY, x));
    return static_cast<float>(result);
}

static float to_half(double x) { return rounded(x, 11, -14, 65504.0); }
static float to_bfloat(double x) { return rounded(x, 8, -126, 3.3895313892515355e38); }

__global__ void halves(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half x = __float2half(a[i]), y = __float2half(b[i]);
    float* o = out + i * 10;
    o[0] = __half2float(x);
    o[1] = __half2float(__hadd(x, y));
    o[2] = __half2float(x - y);
    o[3] = __half2float(__hmul(x, y));
    o[4] = __half2float(__hfma(x, y, x));
    o[5] = __hlt(x, y) ? 1.0f : 0.0f;
    o[6] = __half2float(__hneg(x));
    o[7] = __half2float(__int2half_rn(static_cast<int>(a[i])));
    __half2 pair = __halves2half2(x, y), sum = __hadd2(pair, __float2half2_rn(1.0f));
    o[8] = __low2float(sum);
    o[9] = __high2float(sum);
}

__global__ void bfloats(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __nv_bfloat16 x = __float2bfloat16(a[i]), y = __float2bfloat16(b[i]);
    float* o = out + i * 6;
    o[0] = __bfloat162float(x);
    o[1] = __bfloat162float(__hadd(x, y));
    o[2] = __bfloat162float(__hsub(x, y));
    o[3] = __bfloat162float(__hmul(x, y));
    o[4] = __hgt(x, y) ? 1.0f : 0.0f;
    o[5] = __bfloat162float(__hfma(x, y, y));
}

static bool same(float a, float b) { return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, 4) == 0; }

static void compare(int i, const char* what, float got, float expected) {
    if (same(got, expected)) return;
    if (++failures() <= 20) std::printf("[%d] %s is %.9g, expected %.9g\n", i, what, got, expected);
}

int main() {
    static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4 && sizeof(__nv_bfloat16) == 2, "");
    std::vector<float> a, b;
    const float edges[] = {0.0f,       1.0f,     -1.0f,   0.1f,     2047.0f, 2049.0f, 65504.0f,
                           65519.0f,   65520.0f, 6e-5f,   6e-8f,    3e-8f,   1e-9f,   1.0009765f,
                           1.0004883f, 3.14159f, -100.5f, INFINITY, 1e30f};
    for (float x : edges)
        for (float y : edges) {
            a.push_back(x);
            b.push_back(y);
        }
    int n = static_cast<int>(a.size());
    float *da = to_device(a), *db = to_device(b), *out = device_zeros<float>(n * 10);
    halves<<<(n + 63) / 64, 64>>>(da, db, out, n);
    auto h = to_host(out, n * 10);
    for (int i = 0; i < n; ++i) {
        double x = to_half(a[i]), y = to_half(b[i]);
        const float* o = &h[i * 10];
        compare(i, "half", o[0], static_cast<float>(x));
        compare(i, "half a+b", o[1], to_half(x + y));
        compare(i, "half a-b", o[2], to_half(x - y));
        compare(i, "half a*b", o[3], to_half(x * y));
        compare(i, "half fma", o[4], to_half(x * y + x));
        compare(i, "half <", o[5], x < y ? 1.0f : 0.0f);
        compare(i, "half -a", o[6], static_cast<float>(-x));
        if (std::fabs(a[i]) < 1e9) compare(i, "half of int", o[7], to_half(static_cast<int>(a[i])));
        compare(i, "half2 low", o[8], to_half(x + 1));
        compare(i, "half2 high", o[9], to_half(y + 1));
    }
    bfloats<<<(n + 63) / 64, 64>>>(da, db, out, n);
    auto f = to_host(out, n * 6);
    for (int i = 0; i < n; ++i) {
        double x = to_bfloat(a[i]), y = to_bfloat(b[i]);
        const float* o = &f[i * 6];
        compare(i, "bfloat", o[0], static_cast<float>(x));
        compare(i, "bfloat a+b", o[1], to_bfloat(x + y));
        compare(i, "bfloat a-b", o[2], to_bfloat(x - y));
        compare(i, "bfloat a*b", o[3], to_bfloat(x * y));
        compare(i, "bfloat >", o[4], x > y ? 1.0f : 0.0f);
        // The exact product and sum of two bfloat16 fit a double unless their exponents lie far apart.
        if (std::fabs(x) < 1e6 && std::fabs(y) < 1e6) compare(i, "bfloat fma", o[5], to_bfloat(x * y + y));
    }
    return finish("half");
}
