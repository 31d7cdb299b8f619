// Recursion: each lane to its own depth, two functions that call each other, and a sort on a local array.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^recursion ok$
// RUN: lockstep run -O0 %s
// OUT: ^recursion ok$
#include <algorithm>

#include "support/check.h"

__host__ __device__ __noinline__ unsigned long long factorial(unsigned n) {
    return n < 2 ? 1ull : n * factorial(n - 1);
}

__host__ __device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__host__ __device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ bool is_odd(unsigned n);
__host__ __device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__host__ __device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

__host__ __device__ __noinline__ void sort(int* data, int left, int right) {
    if (left >= right) return;
    int pivot = data[(left + right) / 2], i = left, j = right;
    while (i <= j) {
        while (data[i] < pivot) ++i;
        while (data[j] > pivot) --j;
        if (i <= j) {
            int swap = data[i];
            data[i++] = data[j];
            data[j--] = swap;
        }
    }
    sort(data, left, j);
    sort(data, i, right);
}

__global__ void recurse(unsigned long long* factorials, int* fibonaccis, int* ackermanns, int* parities,
                        int* sorted) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    factorials[t] = factorial(t % 21);
    fibonaccis[t] = fibonacci(t % 13);
    ackermanns[t] = ackermann(t % 3, t % 4);
    parities[t] = (t % 5 == 0 ? is_odd(t) : is_even(t)) ? 1 : 0;
    int local[16];
    for (int i = 0; i < 16; ++i) local[i] = (i * 7919 + t * 104729) % 1000;
    sort(local, 0, 15);
    for (int i = 0; i < 16; ++i) sorted[t * 16 + i] = local[i];
}

int main() {
    CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10));  // a real GPU's 1 KiB would not do
    const int n = 96;
    auto* factorials = device_zeros<unsigned long long>(n);
    int *fibonaccis = device_zeros<int>(n), *ackermanns = device_zeros<int>(n),
        *parities = device_zeros<int>(n);
    int* sorted = device_zeros<int>(n * 16);
    recurse<<<2, n / 2>>>(factorials, fibonaccis, ackermanns, parities, sorted);
    auto f = to_host(factorials, n);
    auto fib = to_host(fibonaccis, n), ack = to_host(ackermanns, n), parity = to_host(parities, n),
         s = to_host(sorted, n * 16);
    for (int t = 0; t < n; ++t) {
        EXPECT_AT(t, f[t], factorial(t % 21));
        EXPECT_AT(t, fib[t], fibonacci(t % 13));
        EXPECT_AT(t, ack[t], ackermann(t % 3, t % 4));
        EXPECT_AT(t, parity[t], (t % 5 == 0) == (t % 2 == 1) ? 1 : 0);
        int expected[16];
        for (int i = 0; i < 16; ++i) expected[i] = (i * 7919 + t * 104729) % 1000;
        std::sort(expected, expected + 16);
        for (int i = 0; i < 16; ++i) EXPECT_AT(t * 16 + i, s[t * 16 + i], expected[i]);
    }
    return finish("recursion");
}
