// How many machine instructions stand for one operation: each kernel is two loads, the operation, one store.
#include <cuda_fp16.h>

#include "probe.h"

#define OP(T, name, expression)                  \
    KERNEL(T, name) {                            \
        const T x = in[GID], y = in[GID + 1024]; \
        out[GID] = expression;                   \
    }
#define OP_TO(T, R, name, expression)                \
    KERNEL(T, name) {                                \
        const T x = in[GID];                         \
        reinterpret_cast<R*>(out)[GID] = expression; \
    }
typedef long long i64;
typedef unsigned long long u64;

// Integers.
OP(int, int_add, x + y)
OP(int, int_sub, x - y)
OP(int, int_mul, x* y) OP(int, int_mad, x* y + n) OP(int, int_add_3, x + y + n) OP(int, int_div, x / y) OP(
    int, int_rem, x % y) OP(int, int_div_rem, x / y + x % y) OP(int, int_div_3, x / 3 + y) OP(int, int_rem_3,
                                                                                              x % 3 + y)
    OP(int, int_div_7, x / 7 + y) OP(int, int_rem_10, x % 10 + y) OP(int, int_div_8, x / 8 + y) OP(
        int, int_rem_8,
        x % 8 +
            y) OP(int, int_rem_2, x % 2 + y)
        OP(unsigned, uint_div, x / y) OP(unsigned, uint_rem, x % y) OP(unsigned, uint_div_3, x / 3 + y) OP(
            unsigned, uint_div_7,
            x / 7 +
                y) OP(unsigned, uint_rem_7, x % 7 + y)
            OP(unsigned, uint_rem_10, x % 10 + y) OP(unsigned, uint_div_8, x / 8 + y) OP(i64, i64_add, x + y)
                OP(i64, i64_mul, x* y) OP(i64, i64_div, x / y) OP(i64, i64_rem, x % y) OP(
                    i64, i64_div_7,
                    x / 7 +
                        y) OP(i64, i64_rem_10, x % 10 + y)
                    OP(i64, i64_div_8, x / 8 + y) OP(u64, u64_div, x / y) OP(u64, u64_rem, x % y)
                        OP(u64, u64_div_7, x / 7 + y) OP(u64, u64_mulhi, __umul64hi(x, y)) OP(
                            i64, i64_shl,
                            x << (y & 31)) OP(i64, i64_shr, x >> (y & 31))
                            OP(u64, u64_shr,
                               x >> (y &
                                     31)) OP(i64, i64_compare, x < y ? x : 7) OP(i64, i64_min, x < y ? x : y)
                                OP(i64, i64_and, x& y) OP(int, int_shl, x << (y & 15)) OP(
                                    int, int_shr,
                                    x >> (y &
                                          15)) OP(int, int_and, x& y) OP(int, int_logic_3, (x & y) | (x ^ n))
                                    OP(int, int_logic_4, ((x & y) | (x ^ n)) & ~GID) OP(
                                        int, int_min, min(x, y)) OP(int, int_max_3, max(max(x, y), n))
                                        OP(int, int_abs, abs(x - y)) OP(int, int_popc, __popc(x) + y)
                                            OP(int, int_clz, __clz(x) + y) OP(int, int_ffs, __ffs(x) + y) OP(
                                                int, int_brev,
                                                __brev(x) +
                                                    y) OP(int, int_mulhi,
                                                          __mulhi(x, y)) OP(int, int_mul24, __mul24(x, y))
                                                OP(int, int_byte_perm, __byte_perm(x, y, 0x3021))
                                                    OP(int, int_funnel, __funnelshift_l(x, y, n)) OP(
                                                        int, int_dp4a,
                                                        __dp4a(x, y, n)) OP(int, int_sad, __sad(x, y, n))
                                                        OP(u64, u64_popc, __popcll(x) + y) OP(
                                                            u64, u64_clz,
                                                            __clzll(x) + y) OP(u64, u64_brev, __brevll(x) + y)
                                                            OP(int, int_select, x > y ? x + 1 : y - 3) OP(
                                                                int, int_compare_chain,
                                                                (x < y) + (x > n) +
                                                                    (y > n))
                                                                OP(int, int_sign, (x > 0) - (x < 0) + y)
                                                                    OP(short, short_mul,
                                                                       x* y) OP(char, char_add, x + y)
                                                                        OP(int, index_2d,
                                                                           in[(GID / 16) * 32 + GID % 16] +
                                                                               x + y)

    // float.
    OP(float, float_add, x + y) OP(float, float_fma, x* y + x) OP(float, float_div,
                                                                  x / y) OP(float, float_recip, 1 / x + y)
        OP(float, float_div_3, x / 3 + y) OP(float, float_fdividef, __fdividef(x, y)) OP(float, float_div_rn,
                                                                                         __fdiv_rn(x, y))
            OP(float, float_sqrt, sqrtf(x) + y) OP(float, float_rsqrt,
                                                   rsqrtf(x) + y) OP(float, float_cbrt, cbrtf(x) + y)
                OP(float, float_hypot, hypotf(x, y)) OP(float, float_sin, sinf(x) + y) OP(float, float_cos,
                                                                                          cosf(x) + y)
                    OP(float, float_tan, tanf(x) + y) OP(float, float_sincos, sinf(x) + cosf(x) * y)
                        OP(float, float_asin,
                           asinf(x) + y) OP(float, float_atan,
                                            atanf(x) + y) OP(float, float_atan2, atan2f(x, y))
                            OP(float, float_tanh,
                               tanhf(x) + y) OP(float, float_erf, erff(x) + y)
                                OP(float, float_exp, expf(x) + y) OP(float, float_exp2, exp2f(x) + y) OP(
                                    float,
                                    float_log,
                                    logf(x) + y) OP(float, float_log2, log2f(x) + y)
                                    OP(float, float_log10, log10f(x) + y) OP(float, float_pow, powf(x, y)) OP(
                                        float,
                                        float_pow_2, powf(x, 2.0f) + y) OP(float, float_fmod, fmodf(x, y))
                                        OP(float, fast_sin, __sinf(x) + y) OP(float, fast_cos, __cosf(x) + y)
                                            OP(float, fast_tan,
                                               __tanf(x) +
                                                   y) OP(float, fast_exp,
                                                         __expf(x) + y) OP(float, fast_log, __logf(x) + y)
                                                OP(float, fast_log2, __log2f(x) + y)
                                                    OP(float, fast_pow,
                                                       __powf(x, y)) OP(float, fast_rsqrt, __frsqrt_rn(x) + y)
                                                        OP(float, fast_sqrt,
                                                           __fsqrt_rn(x) +
                                                               y) OP(float, fast_recip,
                                                                     __frcp_rn(x) +
                                                                         y) OP(float, float_min, fminf(x, y))
                                                            OP(float, float_max,
                                                               fmaxf(x, y)) OP(float, float_abs, fabsf(x - y))
                                                                OP(float, float_floor, floorf(x * 100) + y)
                                                                    OP(float, float_round,
                                                                       roundf(x * 100) +
                                                                           y) OP(float, float_rint,
                                                                                 rintf(x * 100) + y)
                                                                        OP(float, float_trunc,
                                                                           truncf(x * 100) + y)
                                                                            OP(float, float_saturate,
                                                                               __saturatef(x * 3 - y))
                                                                                OP(float, float_isnan,
                                                                                   isnan(x) ? 1.0f : y)
                                                                                    OP(float, float_copysign,
                                                                                       copysignf(x, y - 0.5f))
                                                                                        OP(float,
                                                                                           float_select,
                                                                                           x > y ? x : y * 2)

    // double.
    OP(double, double_add, x + y) OP(double, double_mul, x* y) OP(double, double_fma, x* y + x)
        OP(double, double_div, x / y) OP(double, double_recip, 1 / x + y) OP(double, double_sqrt, sqrt(x) + y)
            OP(double, double_rsqrt, rsqrt(x) + y) OP(double, double_sin, sin(x) + y)
                OP(double, double_exp, exp(x) + y) OP(double, double_log, log(x) + y)
                    OP(double, double_pow, pow(x, y)) OP(double, double_min, fmin(x, y))
                        OP(double, double_abs, fabs(x - y)) OP(double, double_select, x > y ? x : y * 2)
                            OP(double, double_floor, floor(x * 100) + y)

    // Conversions.
    OP_TO(int, float, int_to_float, static_cast<float>(x))
        OP_TO(int, double, int_to_double_half, static_cast<double>(x))
            OP_TO(float, int, float_to_int, static_cast<int>(x * 100))
                OP_TO(float, unsigned, float_to_uint, static_cast<unsigned>(x * 100))
                    OP_TO(double, int, double_to_int, static_cast<int>(x * 100))
                        OP_TO(double, float, double_to_float, static_cast<float>(x))
                            OP_TO(double, double, float_to_double,
                                  static_cast<double>(reinterpret_cast<const float*>(in)[GID]))
                                OP_TO(i64, float, i64_to_float, static_cast<float>(x))
                                    OP_TO(i64, double, i64_to_double, static_cast<double>(x))
                                        OP_TO(double, i64, double_to_i64, static_cast<i64>(x * 100))
                                            OP_TO(int, i64, int_to_i64_half, static_cast<i64>(x))
                                                OP_TO(i64, int, i64_to_int, static_cast<int>(x))
                                                    OP_TO(int, char, int_to_char, static_cast<char>(x))
                                                        OP_TO(float, __half, float_to_half, __float2half(x))
                                                            OP_TO(float, unsigned char, float_to_byte,
                                                                  static_cast<unsigned char>(x * 255))
                                                                OP_TO(unsigned char, float, byte_to_float,
                                                                      static_cast<float>(x))
                                                                    OP_TO(int, float, float_bits,
                                                                          __int_as_float(x) * 2)

    // half.
    KERNEL(short, half_add) {
    const __half* h = reinterpret_cast<const __half*>(in);
    reinterpret_cast<__half*>(out)[GID] = __hadd(h[GID], h[GID + 1024]);
}
KERNEL(short, half_fma) {
    const __half* h = reinterpret_cast<const __half*>(in);
    reinterpret_cast<__half*>(out)[GID] = __hfma(h[GID], h[GID + 1024], h[GID]);
}
KERNEL(int, half2_fma) {
    const __half2* h = reinterpret_cast<const __half2*>(in);
    reinterpret_cast<__half2*>(out)[GID] = __hfma2(h[GID], h[GID + 1024], h[GID]);
}
KERNEL(short, half_div) {
    const __half* h = reinterpret_cast<const __half*>(in);
    reinterpret_cast<__half*>(out)[GID] = __hdiv(h[GID], h[GID + 1024]);
}
KERNEL(short, half_to_float) {
    reinterpret_cast<float*>(out)[GID] = __half2float(reinterpret_cast<const __half*>(in)[GID]);
}
KERNEL(short, half_compare) {
    const __half* h = reinterpret_cast<const __half*>(in);
    out[GID] = __hlt(h[GID], h[GID + 1024]);
}

// Constants, addresses, special registers.
KERNEL(float, store_constant) { out[GID] = 1.5f; }
KERNEL(int, store_index) { out[GID] = GID; }
KERNEL(int, store_thread) { out[threadIdx.x] = threadIdx.x; }
KERNEL(int, store_unsigned_index) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}
KERNEL(int, store_size_t_index) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    out[i] = i;
}
KERNEL(int, store_2d_index) { out[(blockIdx.y * blockDim.y + threadIdx.y) * n + GID] = 1; }
KERNEL(int, lane_of_warp) { out[GID] = threadIdx.x % warpSize + threadIdx.x / warpSize; }
KERNEL(float, neighbours) {
    const int i = GID + 1;
    out[i] = in[i - 1] + in[i] + in[i + 1];
}
KERNEL(float, neighbours_strided) {
    const int i = GID + n;
    out[i] = in[i - n] + in[i] + in[i + n];
}
KERNEL(float, polynomial) {
    const float x = in[GID];
    out[GID] = ((((x * 0.5f + 0.25f) * x + 0.125f) * x + 1) * x + 3) * x + 7;
}
KERNEL(float, clamp_scale) {
    const float x = in[GID];
    out[GID] = fminf(fmaxf(x * 2 - 0.5f, 0.0f), 1.0f) * 255;
}
KERNEL(float, square_distance) {
    const float x = in[GID] - in[n], y = in[GID + 512] - in[n + 1], z = in[GID + 1024] - in[n + 2];
    out[GID] = x * x + y * y + z * z;
}
KERNEL(unsigned, xorshift) {
    unsigned x = in[GID];
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    out[GID] = x;
}
KERNEL(unsigned, linear_congruence) {
    unsigned x = in[GID];
    for (int i = 0; i < 8; ++i) x = x * 1664525u + 1013904223u;
    out[GID] = x;
}
KERNEL(float, float_compare_swap_loop) {
    int* address = reinterpret_cast<int*>(out + GID % 4);
    int old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, __float_as_int(1.0f + __int_as_float(assumed)));
    } while (assumed != old);
}
KERNEL(float, compare_swap_loop_alone) {
    int* address = reinterpret_cast<int*>(out + GID);
    int old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, __float_as_int(in[GID] + __int_as_float(assumed)));
    } while (assumed != old);
}

// Between lanes.
OP(float, shuffle_down, __shfl_down_sync(~0u, x, 1) + y)
OP(float, shuffle_up, __shfl_up_sync(~0u, x, 2) + y)
OP(float, shuffle_xor, __shfl_xor_sync(~0u, x, 16) + y) OP(float, shuffle_index, __shfl_sync(~0u, x, 3) + y)
    OP(float, shuffle_variable, __shfl_sync(~0u, x, n) + y)
        OP(float, shuffle_width_8, __shfl_down_sync(~0u, x, 1, 8) + y)
            OP(double, shuffle_double, __shfl_down_sync(~0u, x, 1) + y)
                OP(int, vote_ballot, __ballot_sync(~0u, x > y)) OP(int, vote_any, __any_sync(~0u, x > y))
                    OP(int, vote_all, __all_sync(~0u, x > y))
                        OP(int, vote_count, __popc(__ballot_sync(~0u, x > y)))
                            OP(int, active_mask, __activemask() + x + y)
                                OP(int, match_any, __match_any_sync(~0u, x & 3) + y)
                                    OP(int, reduce_add, __reduce_add_sync(~0u, x) + y)
                                        OP(unsigned, reduce_max, __reduce_max_sync(~0u, x) + y)
                                            OP(int, barrier_count, __syncthreads_count(x > y))
                                                OP(int, barrier_or, __syncthreads_or(x > y))
                                                    KERNEL(float, warp_sum) {
    float x = in[GID];
    for (int k = 16; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k);
    out[GID] = x;
}
KERNEL(float, warp_sum_xor) {
    float x = in[GID];
    for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
    out[GID] = x;
}
KERNEL(int, warp_scan) {
    int x = in[GID];
    for (int k = 1; k < 32; k *= 2) {
        const int y = __shfl_up_sync(~0u, x, k);
        if (threadIdx.x % 32 >= k) x += y;
    }
    out[GID] = x;
}
KERNEL(int, warp_barrier) {
    const int x = in[GID];
    __syncwarp();
    out[GID] = x;
}
KERNEL(int, barriers) {
    __syncthreads();
    __syncthreads();
    out[GID] = in[GID];
}

int main() {
    for (auto& probe : probes()) probe();
}
