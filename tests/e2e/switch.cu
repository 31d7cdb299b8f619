// Switch statements: dense and sparse ones, falling through, strings of cases, 64-bit values, defaults.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^switch ok$
// RUN: lockstep run -O1 %s
// OUT: ^switch ok$
#include "support/check.h"

__host__ __device__ __noinline__ int dense(int x, int y) {
    switch (x) {
        case 0: return y + 1;
        case 1: return y * 2;
        case 2: return y - 3;
        case 3: return y ^ 4;
        case 4: return y << 1;
        case 5: return y >> 1;
        case 6: return y % 7;
        case 7: return y / 3;
        case 8: return -y;
        case 9: return ~y;
        case 10: return y * y;
        default: return 12345;
    }
}

__host__ __device__ __noinline__ int sparse(int x) {
    switch (x * x * 13 - 50) {
        case -50: return 1;
        case -37: return 2;
        case 2: return 3;
        case 67: return 4;
        case 158: return 5;
        case 1000000: return 6;
        default: return x < 0 ? -1 : 0;
    }
}

__host__ __device__ __noinline__ int falling(int x) {
    int sum = 0;
    switch (x & 7) {
        case 5: sum += 5; [[fallthrough]];
        case 4: sum += 4; [[fallthrough]];
        case 3:
            for (int i = 0; i < x % 5; ++i) {
                if (i == 3) break;
                sum += i;
            }
            sum += 3;
            [[fallthrough]];
        case 2: sum += 2; break;
        case 6:
        case 7: sum = 100;
    }
    return sum;
}

__host__ __device__ __noinline__ int wide(unsigned long long x) {
    switch (x) {
        case 0x100000000ull: return 1;
        case 0x200000000ull: return 2;
        case 0x300000003ull: return 3;
        default: return 0;
    }
}

enum class Token : unsigned char { number, plus, minus, times, over, open, close, end };

// A little machine: the switch is inside a loop, and lanes run different programs.
__host__ __device__ int interpret(int seed) {
    int accumulator = seed;
    for (int step = 0; step < 20; ++step) {
        switch (static_cast<Token>((seed * 31 + step * 17) % 8)) {
            case Token::number: accumulator += step; break;
            case Token::plus: accumulator += 7; break;
            case Token::minus: accumulator -= 3; continue;
            case Token::times: accumulator *= 3; break;
            case Token::over: accumulator /= 2; break;
            case Token::open: accumulator ^= 0x55; break;
            case Token::close: accumulator &= 0xFFFF; break;
            case Token::end:
                if (step > 10) return accumulator;
        }
        accumulator %= 100000;
    }
    return accumulator;
}

__global__ void switches(int* out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int* o = out + t * 5;
    o[0] = dense(t % 12, t);
    o[1] = sparse(t % 9 - 2);
    o[2] = falling(t);
    o[3] = wide((static_cast<unsigned long long>(t % 4) << 32) + (t % 4 == 3 ? 3 : 0));
    o[4] = interpret(t);
}

int main() {
    const int n = 192;
    int* out = device_zeros<int>(n * 5);
    switches<<<3, 64>>>(out);
    auto h = to_host(out, n * 5);
    for (int t = 0; t < n; ++t) {
        EXPECT_AT(t, h[t * 5 + 0], dense(t % 12, t));
        EXPECT_AT(t, h[t * 5 + 1], sparse(t % 9 - 2));
        EXPECT_AT(t, h[t * 5 + 2], falling(t));
        EXPECT_AT(t, h[t * 5 + 3],
                  wide((static_cast<unsigned long long>(t % 4) << 32) + (t % 4 == 3 ? 3 : 0)));
        EXPECT_AT(t, h[t * 5 + 4], interpret(t));
    }
    return finish("switch");
}
