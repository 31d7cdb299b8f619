// Integer division and remainder: every pair of edge values in 8, 16, 32 and 64 bits, divisors known and
// unknown to the compiler.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^integer-division ok$
#include <limits>

#include "support/check.h"

template <class T>
__global__ void divide(const T* a, const T* b, T* quotient, T* remainder, T* by_constants, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    quotient[i] = static_cast<T>(a[i] / b[i]);
    remainder[i] = static_cast<T>(a[i] % b[i]);
    by_constants[i * 4 + 0] = static_cast<T>(a[i] / 3);
    by_constants[i * 4 + 1] = static_cast<T>(a[i] % 7);
    by_constants[i * 4 + 2] = static_cast<T>(a[i] / 8);
    by_constants[i * 4 + 3] = static_cast<T>(a[i] % 100);
}

template <class T>
void check_type(const char* name) {
    const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    std::vector<T> edges = {low,
                            static_cast<T>(low + 1),
                            0,
                            1,
                            2,
                            3,
                            5,
                            7,
                            10,
                            64,
                            100,
                            127,
                            static_cast<T>(high / 2),
                            static_cast<T>(high - 1),
                            high};
    if (std::numeric_limits<T>::is_signed)
        for (int x : {-1, -2, -3, -7, -64, -100}) edges.push_back(static_cast<T>(x));
    unsigned long long state = 88172645463325252ull;
    for (int i = 0; i < 30; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        edges.push_back(static_cast<T>(state >> (i % 40)));
    }
    std::vector<T> a, b;
    for (T x : edges)
        for (T y : edges) {
            if (y == 0 || (std::numeric_limits<T>::is_signed && x == low && y == static_cast<T>(-1)))
                continue;  // no meaning in C++
            a.push_back(x);
            b.push_back(y);
        }
    int n = static_cast<int>(a.size());
    T *quotient = device_zeros<T>(n), *remainder = device_zeros<T>(n), *constants = device_zeros<T>(n * 4);
    divide<<<(n + 127) / 128, 128>>>(to_device(a), to_device(b), quotient, remainder, constants, n);
    auto q = to_host(quotient, n), r = to_host(remainder, n), c = to_host(constants, n * 4);
    int before = failures();
    for (int i = 0; i < n; ++i) {
        EXPECT(q[i] == static_cast<T>(a[i] / b[i]));
        EXPECT(r[i] == static_cast<T>(a[i] % b[i]));
        EXPECT(c[i * 4 + 0] == static_cast<T>(a[i] / 3));
        EXPECT(c[i * 4 + 1] == static_cast<T>(a[i] % 7));
        EXPECT(c[i * 4 + 2] == static_cast<T>(a[i] / 8));
        EXPECT(c[i * 4 + 3] == static_cast<T>(a[i] % 100));
    }
    if (failures() != before) std::printf("type: %s\n", name);
}

int main() {
    check_type<signed char>("signed char");
    check_type<unsigned char>("unsigned char");
    check_type<short>("short");
    check_type<unsigned short>("unsigned short");
    check_type<int>("int");
    check_type<unsigned>("unsigned");
    check_type<long long>("long long");
    check_type<unsigned long long>("unsigned long long");
    return finish("integer-division");
}
