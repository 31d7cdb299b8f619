// 64-bit integers, double, and the integer intrinsics, against the host's arithmetic.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^wide-arithmetic ok$
#include <cmath>
#include <cstdint>
#include <cstring>

#include "support/check.h"

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr int integer_results = 28;

__global__ void integers(const u64* a, const u64* b, u64* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 x = a[i], y = b[i], *o = out + i * integer_results;
    i64 sx = static_cast<i64>(x);
    u32 lx = static_cast<u32>(x), ly = static_cast<u32>(y);
    int shift = static_cast<int>(y & 63);
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = __umul64hi(x, y);
    o[4] = static_cast<u64>(__mul64hi(sx, static_cast<i64>(y)));
    o[5] = x << shift;
    o[6] = x >> shift;
    o[7] = static_cast<u64>(sx >> shift);
    o[8] = (x & y) ^ (x | ~y);
    o[9] = x < y;
    o[10] = sx < static_cast<i64>(y);
    o[11] = __umulhi(lx, ly);
    o[12] = static_cast<u32>(__mulhi(static_cast<i32>(lx), static_cast<i32>(ly)));
    o[13] = __popc(lx) * 100 + __popcll(x);
    o[14] = __clz(static_cast<i32>(lx)) * 100 + __clzll(sx);
    o[15] = __ffs(static_cast<i32>(lx)) * 100 + __ffsll(sx);
    o[16] = __brev(lx);
    o[17] = __brevll(x);
    o[18] = __byte_perm(lx, ly, 0x3175);
    o[19] = __funnelshift_l(lx, ly, shift);
    o[20] = __funnelshift_r(lx, ly, shift);
    o[21] = static_cast<u32>(__mul24(static_cast<i32>(lx), static_cast<i32>(ly)));
    o[22] = __umul24(lx, ly);
    o[23] = __sad(static_cast<i32>(lx), static_cast<i32>(ly), 5u);
    o[24] = __usad(lx, ly, 5u);
    o[25] = static_cast<u32>(__hadd(static_cast<i32>(lx), static_cast<i32>(ly)));
    o[26] = __urhadd(lx, ly);
    o[27] = static_cast<u64>(min(sx, static_cast<i64>(y))) ^ max(x, y);
}

static i32 low24(u32 x) { return static_cast<i32>(x << 8) >> 8; }

static int leading_zeros(u64 x, int width) {
    int count = 0;
    while (count < width && !(x >> (width - 1 - count) & 1)) ++count;
    return count;
}

static int first_set(u64 x, int width) {
    for (int i = 0; i < width; ++i)
        if (x >> i & 1) return i + 1;
    return 0;
}

static u64 reversed(u64 x, int width) {
    u64 r = 0;
    for (int i = 0; i < width; ++i) r |= (x >> i & 1) << (width - 1 - i);
    return r;
}

static void expect_integers(u64 x, u64 y, u64* o) {
    using i128 = __int128;
    i64 sx = static_cast<i64>(x), sy = static_cast<i64>(y);
    u32 lx = static_cast<u32>(x), ly = static_cast<u32>(y);
    i32 slx = static_cast<i32>(lx), sly = static_cast<i32>(ly);
    int shift = static_cast<int>(y & 63);
    u64 wide = static_cast<u64>(ly) << 32 | lx;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = static_cast<u64>((static_cast<unsigned __int128>(x) * y) >> 64);
    o[4] = static_cast<u64>((static_cast<i128>(sx) * sy) >> 64);
    o[5] = x << shift;
    o[6] = x >> shift;
    o[7] = static_cast<u64>(sx >> shift);
    o[8] = (x & y) ^ (x | ~y);
    o[9] = x < y;
    o[10] = sx < sy;
    o[11] = static_cast<u64>(lx) * ly >> 32;
    o[12] = static_cast<u32>((static_cast<i64>(slx) * sly) >> 32);
    o[13] = __builtin_popcount(lx) * 100 + __builtin_popcountll(x);
    o[14] = leading_zeros(lx, 32) * 100 + leading_zeros(x, 64);
    o[15] = first_set(lx, 32) * 100 + first_set(x, 64);
    o[16] = reversed(lx, 32);
    o[17] = reversed(x, 64);
    u32 bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = wide >> (8 * i) & 0xFF;
    o[18] = bytes[5] | bytes[7] << 8 | bytes[1] << 16 | static_cast<u64>(bytes[3]) << 24;
    o[19] = static_cast<u32>((wide << (shift & 31)) >> 32);
    o[20] = static_cast<u32>(wide >> (shift & 31));
    o[21] = static_cast<u32>(static_cast<i64>(low24(lx)) * low24(ly));
    o[22] = static_cast<u32>(static_cast<u64>(lx & 0xFFFFFF) * (ly & 0xFFFFFF));
    i64 distance = static_cast<i64>(slx) - sly;
    o[23] = static_cast<u32>((distance < 0 ? -distance : distance) + 5);
    o[24] = static_cast<u32>((lx > ly ? lx - ly : ly - lx) + 5u);
    o[25] = static_cast<u32>((static_cast<i64>(slx) + sly) >> 1);
    o[26] = static_cast<u32>((static_cast<u64>(lx) + ly + 1) >> 1);
    o[27] = static_cast<u64>(sx < sy ? sx : sy) ^ (x > y ? x : y);
}

constexpr int double_results = 12;

__global__ void doubles(const double* a, const double* b, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i], y = b[i], *o = out + i * double_results;
    o[0] = x + y;
    o[1] = x * y;
    o[2] = x / y;
    o[3] = fma(x, y, 1.0);
    o[4] = sqrt(fabs(x));
    o[5] = fmin(x, y) + fmax(x, y);
    o[6] = floor(x) + ceil(y) * 1024;
    o[7] = trunc(x) - rint(y);
    o[8] = static_cast<double>(static_cast<float>(x));
    o[9] = static_cast<double>(static_cast<long long>(fmod(x, 1e15)));
    o[10] = copysign(1.5, x) + (isnan(x) ? 10 : 0) + (isinf(y) ? 100 : 0) + (signbit(y) ? 1000 : 0);
    o[11] = x < y ? 1 : x > y ? 2 : x == y ? 3 : 4;
}

static bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, 8) == 0;
}

int main() {
    const u64 edges[] = {0,
                         1,
                         2,
                         3,
                         7,
                         31,
                         32,
                         63,
                         0x7FFFFFFF,
                         0x80000000,
                         0xFFFFFFFF,
                         0x100000000,
                         0x7FFFFFFFFFFFFFFF,
                         0x8000000000000000,
                         0xFFFFFFFFFFFFFFFF,
                         0x123456789ABCDEF0,
                         0xDEADBEEFCAFEBABE,
                         0x00FF00FF00FF00FF};
    std::vector<u64> a, b;
    for (u64 x : edges)
        for (u64 y : edges) {
            a.push_back(x);
            b.push_back(y);
        }
    int n = static_cast<int>(a.size());
    u64* out = device_zeros<u64>(n * integer_results);
    integers<<<(n + 63) / 64, 64>>>(to_device(a), to_device(b), out, n);
    auto h = to_host(out, n * integer_results);
    for (int i = 0; i < n; ++i) {
        u64 expected[integer_results];
        expect_integers(a[i], b[i], expected);
        for (int k = 0; k < integer_results; ++k)
            if (h[i * integer_results + k] != expected[k] && ++failures() <= 20)
                std::printf("integer result %d of %llx and %llx is %llx, expected %llx\n", k,
                            static_cast<unsigned long long>(a[i]), static_cast<unsigned long long>(b[i]),
                            static_cast<unsigned long long>(h[i * integer_results + k]),
                            static_cast<unsigned long long>(expected[k]));
    }

    const double values[] = {0.0,      -0.0,  1.0,    -1.0, 0.1,        -2.5,     3.5,       1e-310,
                             4.9e-324, 1e300, -1e300, 1e17, 123456.789, INFINITY, -INFINITY, NAN};
    std::vector<double> da, db;
    for (double x : values)
        for (double y : values) {
            da.push_back(x);
            db.push_back(y);
        }
    n = static_cast<int>(da.size());
    double* dout = device_zeros<double>(n * double_results);
    doubles<<<(n + 63) / 64, 64>>>(to_device(da), to_device(db), dout, n);
    auto hd = to_host(dout, n * double_results);
    for (int i = 0; i < n; ++i) {
        double x = da[i], y = db[i];
        double expected[double_results] = {x + y,
                                           x * y,
                                           x / y,
                                           std::fma(x, y, 1.0),
                                           std::sqrt(std::fabs(x)),
                                           std::fmin(x, y) + std::fmax(x, y),
                                           std::floor(x) + std::ceil(y) * 1024,
                                           std::trunc(x) - std::rint(y),
                                           static_cast<double>(static_cast<float>(x)),
                                           0,
                                           std::copysign(1.5, x) + (std::isnan(x) ? 10 : 0) +
                                               (std::isinf(y) ? 100 : 0) + (std::signbit(y) ? 1000 : 0),
                                           x < y    ? 1.0
                                           : x > y  ? 2.0
                                           : x == y ? 3.0
                                                    : 4.0};
        if (std::isfinite(x)) expected[9] = static_cast<double>(static_cast<long long>(std::fmod(x, 1e15)));
        for (int k = 0; k < double_results; ++k) {
            if (k == 9 && !std::isfinite(x)) continue;
            if (k == 10 && (std::isnan(x) || std::isnan(y))) continue;  // a NaN's sign is nobody's promise
            double got = hd[i * double_results + k];
            if (k == 5 && got == 0 && expected[5] == 0) continue;  // so is the smaller of two zeros
            if (!same(got, expected[k]) && ++failures() <= 20)
                std::printf("double result %d of %g and %g is %.17g, expected %.17g\n", k, x, y, got,
                            expected[k]);
        }
    }
    return finish("wide-arithmetic");
}
