// Loads and stores of every width and with every hint: __ldg, restrict, cached and streaming, bytes to 16
// bytes, bool, 8- and 16-bit.
// RUN: lockstep run %s
// OUT: ^loads ok$
#include "support/check.h"

template <class T>
__global__ void through(const T* __restrict__ in, T* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T a = __ldg(in + i), b = in[n - 1 - i];
    out[2 * i] = a;
    out[2 * i + 1] = b;
}

template <class T>
void check_type() {
    const int n = 70;
    std::vector<T> host(n);
    for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i * 37 - 1000);
    T *in = to_device(host), *out = device_zeros<T>(2 * n);
    through<<<3, 32>>>(in, out, n);
    auto h = to_host(out, 2 * n);
    for (int i = 0; i < n; ++i) {
        EXPECT_AT(i, h[2 * i], host[i]);
        EXPECT_AT(i, h[2 * i + 1], host[n - 1 - i]);
    }
}

__global__ void hints(const float* in, float* out, float4* wide) {
    int i = threadIdx.x;
    float sum = __ldcg(in + i) + __ldca(in + i) + __ldcs(in + i);
    __stcg(out + i, sum);
    __stcs(out + 64 + i, sum + 1);
    __stwb(out + 128 + i, sum + 2);
    wide[i] = make_float4(i, i + 1, i + 2, i + 3);
}

struct Bits {
    unsigned low : 5, middle : 11, high : 16;
};

__global__ void narrow(bool* flags, Bits* bits, char* text, signed char* negative) {
    int i = threadIdx.x;
    flags[i] = i % 3 == 0;
    Bits b;
    b.low = i;
    b.middle = i * 17;
    b.high = i * 1000;
    bits[i] = b;
    text[i] = static_cast<char>('A' + i % 26);
    negative[i] = static_cast<signed char>(-i * 3);
    if (negative[i] < -100) negative[i] = static_cast<signed char>(negative[i] >> 1);
}

int main() {
    check_type<char>();
    check_type<unsigned char>();
    check_type<short>();
    check_type<unsigned short>();
    check_type<int>();
    check_type<unsigned>();
    check_type<long long>();
    check_type<unsigned long long>();
    check_type<float>();
    check_type<double>();

    std::vector<float> host(64);
    for (int i = 0; i < 64; ++i) host[i] = i * 0.5f;
    float *in = to_device(host), *out = device_zeros<float>(192);
    float4* wide = device_zeros<float4>(64);
    hints<<<1, 64>>>(in, out, wide);
    auto h = to_host(out, 192);
    auto w = to_host(wide, 64);
    for (int i = 0; i < 192; ++i) EXPECT_AT(i, h[i], 1.5f * (i % 64) + i / 64);
    for (int i = 0; i < 64; ++i) EXPECT(w[i].x == i && w[i].w == i + 3);

    bool* flags = device_zeros<bool>(64);
    Bits* bits = device_zeros<Bits>(64);
    char* text = device_zeros<char>(64);
    signed char* negative = device_zeros<signed char>(64);
    narrow<<<1, 64>>>(flags, bits, text, negative);
    bool on_host[64];
    CUDA(cudaMemcpy(on_host, flags, 64, cudaMemcpyDeviceToHost));
    auto b = to_host(bits, 64);
    auto t = to_host(text, 64);
    auto s = to_host(negative, 64);
    for (int i = 0; i < 64; ++i) {
        EXPECT(on_host[i] == (i % 3 == 0));
        EXPECT(b[i].low == (i & 31u) && b[i].middle == (i * 17u & 2047u) &&
               b[i].high == (i * 1000u & 65535u));
        EXPECT(t[i] == 'A' + i % 26);
        signed char expected = static_cast<signed char>(-i * 3);
        if (expected < -100) expected = static_cast<signed char>(expected >> 1);
        EXPECT_AT(i, s[i], expected);
    }
    return finish("loads");
}
