// Branches that diverge within a warp, branches that do not, and two that are too long to be predicated.
#include <cmath>

#include "program.h"

__global__ void math1(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if (t % 2 == 0)
        a = 100.f;
    else
        b = 200.f;
    c[t] = a + b;
}
__global__ void math2(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if ((t / warpSize) % 2 == 0)
        a = 100.f;
    else
        b = 200.f;
    c[t] = a + b;
}
__global__ void math3(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    bool p = t % 2 == 0;
    if (p) a = 100.f;
    if (!p) b = 200.f;
    c[t] = a + b;
}
// The condition is as its author wrote it: always false.
__global__ void math4(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    int i = t >> 5;
    if (i & 0x01 == 0)
        a = 100.f;
    else
        b = 200.f;
    c[t] = a + b;
}
__global__ void longDiverge(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float x = t * 1e-3f;
    if (t % 2 == 0)
        for (int i = 0; i < 64; ++i) x = sinf(x) * 1.0001f;
    else
        for (int i = 0; i < 64; ++i) x = sqrtf(fabsf(x)) + 0.5f;
    c[t] = x;
}
__global__ void longUniform(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float x = t * 1e-3f;
    if ((t / warpSize) % 2 == 0)
        for (int i = 0; i < 64; ++i) x = sinf(x) * 1.0001f;
    else
        for (int i = 0; i < 64; ++i) x = sqrtf(fabsf(x)) + 0.5f;
    c[t] = x;
}
__global__ void tripCount(float* c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float x = t;
    for (int i = 0; i < (t & 31); ++i) x = x * 0.999f + 1.0f;
    c[t] = x;
}

// What thread t of each kernel should leave; the host's functions are a little off the GPU's.
float alternate(int t) { return t % 2 == 0 ? 100.f : 200.f; }
float by_warp(int t) { return t / 32 % 2 == 0 ? 100.f : 200.f; }
float always(int) { return 200.f; }
float sines(int t) {
    float x = t * 1e-3f;
    for (int i = 0; i < 64; ++i) x = std::sin(x) * 1.0001f;
    return x;
}
float roots(int t) {
    float x = t * 1e-3f;
    for (int i = 0; i < 64; ++i) x = std::sqrt(std::fabs(x)) + 0.5f;
    return x;
}
float alternate_long(int t) { return t % 2 == 0 ? sines(t) : roots(t); }
float by_warp_long(int t) { return t / 32 % 2 == 0 ? sines(t) : roots(t); }
float trips(int t) {
    float x = t;
    for (int i = 0; i < (t & 31); ++i) x = std::fma(x, 0.999f, 1.0f);
    return x;
}

int main(int argc, char** argv) {
    const int large = (1 << 24) / divisor(argc, argv);
    float* c;
    CHECK(cudaMalloc(&c, large * sizeof(float)));
    const auto go = [&](const char* name, void (*kernel)(float*), float (*expected)(int)) {
        for (int n : {64, large}) {
            kernel<<<n / 64, 64>>>(c);
            const auto results = to_host(c, n);
            bool right = true;
            for (int t = 0; t < n; t += 1 + n / 1000)
                right &= std::fabs(results[t] - expected(t)) <= 1e-3f * (1 + std::fabs(expected(t)));
            verdict(name, right);
        }
    };
    go("math1", math1, alternate);
    go("math2", math2, by_warp);
    go("math3", math3, alternate);
    go("math4", math4, always);
    go("longDiverge", longDiverge, alternate_long);
    go("longUniform", longUniform, by_warp_long);
    go("tripCount", tripCount, trips);
    return wrong_results;
}
