// Barriers in shared memory (mbarrier) at their limits: errors as an H200 gives them.
// RUN: lockstep run %s -- 0
// OUT: ^case 0: 719$
// ERR: more arrivals at a barrier \(mbarrier\) than its phase still waits for, 1,
// RUN: lockstep run %s -- 1
// OUT: ^case 1: 719$
// ERR: still waits for, 1,
// RUN: lockstep run %s -- 2
// OUT: ^case 2: 0, phase over 1$
// RUN: lockstep run %s -- 3
// OUT: ^case 3: 719$
// RUN: lockstep run %s -- 4
// OUT: ^case 4: 719$
// ERR: still waits for, 0,
// RUN: lockstep run %s -- 5
// OUT: ^case 5: 0, phase over 1$
// RUN: lockstep run %s -- 6
// OUT: ^case 6: 719$
// RUN: lockstep run %s -- 7
// OUT: ^case 7: 719$
// RUN: lockstep run %s -- 8
// OUT: ^case 8: 0, phase over 1$
// RUN: lockstep run %s -- 9
// OUT: ^case 9: 0, phase over 0$
#include <cstdio>
#include <cstdlib>

__device__ unsigned over;

__global__ void barriers(int which) {
    __shared__ alignas(8) unsigned long long barrier;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    const auto init = [&](unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(n)); };
    const auto arrive = [&](unsigned n) {
        unsigned long long state;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(at), "r"(n));
    };
    const auto expect = [&](unsigned n) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(at), "r"(n));
    };
    const auto complete = [&](unsigned n) {
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(at), "r"(n));
    };
    unsigned long long state;
    barrier = 0;
    if (which == 0) init(1), arrive(2);
    if (which == 1) init(4), arrive(3), arrive(2);
    if (which == 2) init(1), arrive(1), arrive(1), arrive(1);  // three phases
    if (which == 3) {
        init(2);
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 3;" : "=l"(state) : "r"(at));
    }
    if (which == 4) arrive(1);  // at none
    if (which == 5) {
        init(1);
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at));
        arrive(1);
    }
    if (which == 6) init(1), expect(1 << 20);
    if (which == 7) init(1), expect((1 << 20) - 1), expect(1);
    if (which == 8) init(1), complete(16), expect(16), arrive(1);  // bytes may come before they are expected
    if (which == 9) init(1), expect((1 << 20) - 1), arrive(1);
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(at));
}

int main(int, char** arguments) {
    const int which = std::atoi(arguments[1]);
    barriers<<<1, 1>>>(which);
    const int error = cudaDeviceSynchronize();
    unsigned told = 0;
    cudaMemcpyFromSymbol(&told, over, 4);
    std::printf(error ? "case %d: %d\n" : "case %d: %d, phase over %u\n", which, error, told);
    return 0;
}
