// Integer intrinsics, SIMD in a word, min and max of every type.
__global__ void bits(unsigned* u, unsigned long long* ull, int* i, long long* ll) {
    *u = __popc(*u) + __clz(*i) + __ffs(*i) + __brev(*u) + __byte_perm(u[0], u[1], 0x3210);
    *u += __popcll(*ull) + __clzll(*ll) + __ffsll(*ll);
    *ull = __brevll(*ull);
    *u += __funnelshift_l(u[0], u[1], u[2]) + __funnelshift_lc(u[0], u[1], u[2]) + __funnelshift_r(u[0], u[1], u[2]) +
          __funnelshift_rc(u[0], u[1], u[2]);
    *i += __mul24(i[0], i[1]) + __mulhi(i[0], i[1]) + __hadd(i[0], i[1]) + __rhadd(i[0], i[1]);
    *u += __umul24(u[0], u[1]) + __umulhi(u[0], u[1]) + __uhadd(u[0], u[1]) + __urhadd(u[0], u[1]) + __sad(i[0], i[1], u[0]) +
          __usad(u[0], u[1], u[2]);
    *ll = __mul64hi(ll[0], ll[1]);
    *ull += __umul64hi(ull[0], ull[1]);
    *i += __dp4a(i[0], i[1], i[2]) + __dp2a_lo(i[0], i[1], i[2]) + __dp2a_hi(i[0], i[1], i[2]);
    *u += __dp4a(u[0], u[1], u[2]) + __dp4a(make_uchar4(1, 2, 3, 4), make_uchar4(5, 6, 7, 8), 1u);
    *i += abs(i[3]) + (int)labs(ll[0]) + (int)llabs(ll[1]);
}
__global__ void simd(unsigned* p) {
    unsigned a = p[0], b = p[1], r = 0;
    r ^= __vadd2(a, b) ^ __vadd4(a, b) ^ __vsub2(a, b) ^ __vsub4(a, b) ^ __vaddss2(a, b) ^ __vaddss4(a, b);
    r ^= __vaddus2(a, b) ^ __vaddus4(a, b) ^ __vsubss2(a, b) ^ __vsubss4(a, b) ^ __vsubus2(a, b) ^ __vsubus4(a, b);
    r ^= __vabs2(a) ^ __vabs4(a) ^ __vabsss2(a) ^ __vabsss4(a) ^ __vneg2(a) ^ __vneg4(a) ^ __vnegss2(a) ^ __vnegss4(a);
    r ^= __vabsdiffs2(a, b) ^ __vabsdiffs4(a, b) ^ __vabsdiffu2(a, b) ^ __vabsdiffu4(a, b);
    r ^= __vavgs2(a, b) ^ __vavgs4(a, b) ^ __vavgu2(a, b) ^ __vavgu4(a, b) ^ __vhaddu2(a, b) ^ __vhaddu4(a, b);
    r ^= __vcmpeq2(a, b) ^ __vcmpeq4(a, b) ^ __vcmpne2(a, b) ^ __vcmpges4(a, b) ^ __vcmpgtu2(a, b) ^ __vcmpleu4(a, b);
    r ^= __vmaxs2(a, b) ^ __vmaxs4(a, b) ^ __vmaxu2(a, b) ^ __vmaxu4(a, b) ^ __vmins2(a, b) ^ __vminu4(a, b);
    r ^= __vsads2(a, b) ^ __vsads4(a, b) ^ __vsadu2(a, b) ^ __vsadu4(a, b) ^ __vseteq2(a, b) ^ __vsetlts4(a, b);
    p[2] = r;
}
template <class T>
__host__ __device__ T extremes(T a, T b) {
    return min(a, b) + max(a, b);
}
__host__ __device__ double all_extremes(int x) {
    double r = extremes(x, 2) + extremes(1u, 2u) + extremes(1l, 2l) + extremes(1ul, 2ul) + extremes(1ll, 2ll) + extremes(1ull, 2ull);
    r += extremes(1.0f, 2.0f) + extremes(1.0, 2.0) + min(1, 2u) + max(2u, 1) + min(1.0f, 2.0) + max(2ll, 1ull) + min(3l, 4ul);
    return r;
}
__global__ void mixed(double* d, int x) { *d = all_extremes(x); }
int main() { return all_extremes(1) > 1e9; }
