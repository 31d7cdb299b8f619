// Parameters of kernels: every size and alignment, structs and arrays by value, many of them, and launches by
// function call.
// RUN: lockstep run %s
// OUT: ^kernel-parameters ok$
#include "support/check.h"

struct Mixed {
    char c;
    double d;
    short s[3];
    float3 f;
    int* where;
};

struct Big {
    int values[500];
};

struct alignas(16) Aligned {
    float x, y, z;
};

struct Empty {};

__global__ void many(bool b, char c, short s, int i, long long l, float f, double d, const int* p, uchar3 u,
                     double2 v, double* out) {
    double values[] = {
        double(b), double(c), double(s), double(i), double(l), f, d, double(*p), double(u.x + u.y + u.z),
        v.x + v.y};
    for (int k = 0; k < 10; ++k) out[k] = values[k];
}

__global__ void structs(Mixed m, Big big, Empty, Aligned a, int last) {
    int t = threadIdx.x;
    m.where[t] = big.values[(t * 7) % 500] + m.c + m.s[t % 3] + static_cast<int>(m.d + m.f.z + a.z) + last;
}

// A thread may change its own copy.
__global__ void own_copy(Big big, int* out) {
    big.values[threadIdx.x % 500] = threadIdx.x;
    out[threadIdx.x] = big.values[threadIdx.x % 500] + big.values[(threadIdx.x + 1) % 500];
}

int main() {
    int* p = to_device(std::vector<int>{77});
    double* out = device_zeros<double>(10);
    many<<<1, 1>>>(true, 'x', -300, 1 << 30, 1ll << 50, 0.5f, 1e-300, p, make_uchar3(1, 2, 3),
                   make_double2(4, 0.25), out);
    auto h = to_host(out, 10);
    const double expected[10] = {1, 'x', -300, 1 << 30, 1125899906842624.0, 0.5, 1e-300, 77, 6, 4.25};
    for (int k = 0; k < 10; ++k) EXPECT_AT(k, h[k], expected[k]);

    Big big;
    for (int i = 0; i < 500; ++i) big.values[i] = i * 3;
    int* ints = device_zeros<int>(512);
    Mixed mixed{'a', 2.5, {10, 20, 30}, make_float3(0, 0, 100.0f), ints};
    Aligned aligned{1, 2, 1000};
    structs<<<1, 512>>>(mixed, big, Empty{}, aligned, 5);
    auto s = to_host(ints, 512);
    for (int t = 0; t < 512; ++t) EXPECT_AT(t, s[t], (t * 7) % 500 * 3 + 'a' + (t % 3 + 1) * 10 + 1102 + 5);

    own_copy<<<1, 400>>>(big, ints);
    s = to_host(ints, 400);
    for (int t = 0; t < 400; ++t) EXPECT_AT(t, s[t], t + (t + 1) * 3);

    int answer = 9;
    Empty empty;
    void* arguments[] = {&mixed, &big, &empty, &aligned, &answer};
    CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(structs), dim3(1), dim3(64), arguments, 0, nullptr));
    s = to_host(ints, 64);
    for (int t = 0; t < 64; ++t) EXPECT_AT(t, s[t], (t * 7) % 500 * 3 + 'a' + (t % 3 + 1) * 10 + 1102 + 9);
    return finish("kernel-parameters");
}
