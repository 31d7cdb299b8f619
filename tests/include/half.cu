// __half and __nv_bfloat16 on both sides.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class H>
__host__ __device__ int scalar(H a, H b, H c) {
    H r = a + b * c - a / c;
    r += a, r -= b, r *= c, r /= a;
    ++r, r--;
    r = __hfma(a, b, -r) + __hadd(a, b) + __hsub(a, b) + __hmul(a, b) + __hdiv(a, b) + __hneg(a) + __habs(b) + __hmax(a, b) + __hmin_nan(a, b);
    r = r + H(1.5f) + H(2.5) + H(3);
    int t = a < b || a <= b || a > b || a >= b || a == b || a != b || __heq(a, b) || __hltu(a, b) || __hisnan(a) || __hisinf(b);
    return t + (int)(float)r;
}
template <class H2>
__host__ __device__ int pair(H2 a, H2 b, H2 c) {
    H2 r = a + b * c - a / c;
    r += __hfma2(a, b, -c) + __hadd2(a, b) + __hmul2(a, b) + __habs2(a) + __hmax2(a, b) + __heq2(a, b) + __hltu2(a, c) + __hisnan2(a);
    return (a == b) + __hbge2(a, b) + __hbltu2(a, c) + (int)__heq2_mask(a, b) + (int)__low2float(r) + (int)__high2float(r);
}
__global__ void kernel(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2, float* f, int* i) {
    *i = scalar(h[0], h[1], h[2]) + pair(h2[0], h2[1], h2[2]) + scalar(b[0], b[1], b[2]) + pair(b2[0], b2[1], b2[2]);
    h[3] = hsqrt(h[0]) + hrsqrt(h[0]) + hsin(h[1]) + hcos(h[1]) + hexp(h[2]) + hlog(h[0]) + htanh(h[0]) + hfloor(h[1]) + hrcp(h[2]) + hexp2(h[1]) + hrint(h[2]);
    h2[3] = h2sqrt(h2[0]) + h2exp(h2[1]) + __hadd2_sat(h2[0], h2[1]) + __hfma2_relu(h2[0], h2[1], h2[2]);
    b[3] = hsqrt(b[0]) + hexp(b[1]) + __hfma_relu(b[0], b[1], b[2]);
    h[4] = __shfl_xor_sync(~0u, h[0], 1) + __ldg(h + 5) + atomicAdd(h, h[1]);
    h2[4] = __shfl_down_sync(~0u, h2[0], 1u) + __ldcg(h2 + 5) + atomicAdd(h2, h2[1]);
    b2[4] = __shfl_sync(~0u, b2[0], 1) + atomicAdd(b2, b2[1]);
    h[5] = __float2half_rn(*f) + __float2half_rz(*f) + __float2half_rd(*f) + __float2half_ru(*f) + __double2half(*f) + __int2half_rn(*i) + __ushort_as_half(3);
    b[5] = __float2bfloat16_rn(*f) + __float2bfloat16_rz(*f) + __float2bfloat16_ru(*f) + __int2bfloat16_rn(*i) + __double2bfloat16(2.0);
    *i += __half2int_rn(h[0]) + __half2uint_rz(h[1]) + __half2short_rd(h[2]) + (int)__half2ll_ru(h[3]) + __half_as_short(h[4]) + __bfloat162int_rn(b[1]);
    h2[5] = __floats2half2_rn(f[0], f[1]) + __halves2half2(h[0], h[1]) + __half2half2(h[2]) + __lows2half2(h2[0], h2[1]) + __lowhigh2highlow(h2[1]);
    float2 both = __half22float2(h2[5]);
    b2[5] = __floats2bfloat162_rn(both.x, both.y) + __bfloat162bfloat162(b[1]);
}
int main() { return scalar(__half(1), __half(2), __half(3)) + pair(__half2(1, 2), __half2(1, 2), __half2(3, 4)) > 1000000; }
