// Clocks: clock() and clock64() go forward within a thread, the global timer too, and a wait by the clock
// ends.
// RUN: lockstep run %s
// OUT: ^clock ok$
// LIMIT: 60
#include "support/check.h"

__global__ void ticks(long long* out, float* sink) {
    int t = threadIdx.x;
    long long start = clock64();
    clock_t short_start = clock();
    float x = t;
    for (int i = 0; i < 100; ++i) x = x * 1.0001f + 0.5f;
    sink[t] = x;
    long long end = clock64();
    clock_t short_end = clock();
    unsigned long long first = 0, second = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(second));
    out[t * 3 + 0] = end - start;
    out[t * 3 + 1] =
        static_cast<long long>(static_cast<unsigned>(short_end) - static_cast<unsigned>(short_start));
    out[t * 3 + 2] = static_cast<long long>(second - first);
}

__global__ void wait(long long cycles, int* done) {
    long long start = clock64();
    while (clock64() - start < cycles) {
    }
    atomicAdd(done, 1);
}

int main() {
    long long* out = device_zeros<long long>(96);
    float* sink = device_zeros<float>(32);
    ticks<<<1, 32>>>(out, sink);
    auto h = to_host(out, 96);
    for (int t = 0; t < 32; ++t) {
        EXPECT(h[t * 3 + 0] > 0);
        EXPECT(h[t * 3 + 1] > 0);
        EXPECT(h[t * 3 + 2] >= 0);
    }
    int* done = device_zeros<int>(1);
    wait<<<2, 64>>>(10000, done);
    EXPECT_AT(0, to_host(done, 1)[0], 128);
    return finish("clock");
}
