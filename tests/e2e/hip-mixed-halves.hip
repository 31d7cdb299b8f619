// Halves among singles: dot products, and sums that compilers make of one instruction (v_fma_mix*), against
// the host.
// RUN: lockstep run %s
// OUT: ^7 kinds$
// NOT: wrong
// RUN: lockstep run --gpu mi300x %s
// OUT: ^7 kinds$
// NOT: wrong
// RUN: lockstep hipcc --offload-arch=gfx908 --offload-device-only -S -O3 %s -o %t/a.s && grep -oE 'v_(fma_mix|dot)[a-z0-9_]*' %t/a.s | sort -u
// OUT: ^v_dot2c?_f32_f16
// OUT: ^v_dot2c?_i32_i16
// OUT: ^v_fma_mix_f32
// OUT: ^v_fma_mixlo_f16
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>

typedef _Float16 half2v __attribute__((ext_vector_type(2)));
typedef short short2v __attribute__((ext_vector_type(2)));

__global__ void halves(float* f, int* w, const float* in) {
    const int t = threadIdx.x;
    const _Float16 a = in[t], b = in[t + 64];
    f[t] = (float)a * (float)b + in[t + 128];                             // mix
    f[64 + t] = -(float)a * in[t + 64] + (float)b;                        // mix, one half
    f[128 + t] = (float)(_Float16)fmaf((float)a, (float)b, in[t + 128]);  // mixlo
    const half2v x = {a, b}, y = {(_Float16)3, (_Float16)-0.5f};
    f[192 + t] = __builtin_amdgcn_fdot2(x, y, in[t + 128], false);
    const short2v p = {(short)(t - 20), (short)(3 * t)}, q = {(short)-7, (short)11};
    w[t] = __builtin_amdgcn_sdot2(p, q, 100, false);
    w[64 + t] = __builtin_amdgcn_sdot4(t * 0x01030507, 0x7f80ff02, t, false);
    w[128 + t] = __builtin_amdgcn_sdot8(t * 0x01030507, 0x78f12345, t, false);
}

int main() {
    float in[192], f[256], *device, *to;
    int w[192], *words;
    for (int i = 0; i < 192; ++i) in[i] = (i * 37 % 64 - 30) * 0.125f;  // of few bits: sums are exact
    (void)hipMalloc(&device, sizeof in), (void)hipMalloc(&to, sizeof f), (void)hipMalloc(&words, sizeof w);
    (void)hipMemcpy(device, in, sizeof in, hipMemcpyHostToDevice);
    halves<<<1, 64>>>(to, words, device);
    (void)hipMemcpy(f, to, sizeof f, hipMemcpyDeviceToHost);
    (void)hipMemcpy(w, words, sizeof w, hipMemcpyDeviceToHost);
    int kinds = 0;
    const auto expect = [&](const char* name, const auto* got, auto want) {
        for (int t = 0; t < 64; ++t)
            if (double(got[t]) != double(want(t))) {
                printf("wrong: %s of lane %d: %g, not %g\n", name, t, double(got[t]), double(want(t)));
                return;
            }
        ++kinds;
    };
    expect("mix", f, [&](int t) { return in[t] * in[t + 64] + in[t + 128]; });
    expect("mix of one half", f + 64, [&](int t) { return -in[t] * in[t + 64] + in[t + 64]; });
    expect("mixlo", f + 128, [&](int t) { return (float)(_Float16)(in[t] * in[t + 64] + in[t + 128]); });
    expect("dot2", f + 192, [&](int t) { return 3 * in[t] - 0.5f * in[t + 64] + in[t + 128]; });
    expect("dot2 of shorts", w, [](int t) { return -7 * (t - 20) + 33 * t + 100; });
    const auto parts = [](int a, int b, int bits, int sum) {
        for (int k = 0; k < 32; k += bits) {
            const auto part = [&](int word) { return int(unsigned(word) << (32 - bits - k)) >> (32 - bits); };
            sum += part(a) * part(b);
        }
        return sum;
    };
    expect("dot4", w + 64, [&](int t) { return parts(t * 0x01030507, 0x7f80ff02, 8, t); });
    expect("dot8", w + 128, [&](int t) { return parts(t * 0x01030507, 0x78f12345, 4, t); });
    printf("%d kinds\n", kinds);
}
