// Approximations, rounding modes, conversions, bit casts.
#define MODES(op) op(rn) op(rz) op(rd) op(ru)
__global__ void floats(float* f, int* i, unsigned* u, long long* ll, unsigned long long* ull) {
    float x = f[0], y = f[1], z = f[2], r = 0, s, c;
    r += __sinf(x) + __cosf(x) + __tanf(x) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x) + __powf(x, y) +
         __fdividef(x, y) + __saturatef(x) + __frsqrt_rn(x);
    __sincosf(x, &s, &c);
    r += s + c;
#define OPS(m)                                                                                                            \
    r += __fadd_##m(x, y) + __fsub_##m(x, y) + __fmul_##m(x, y) + __fdiv_##m(x, y) + __fmaf_##m(x, y, z) + __frcp_##m(x) + __fsqrt_##m(x); \
    *i += __float2int_##m(x), *u += __float2uint_##m(x), *ll += __float2ll_##m(x), *ull += __float2ull_##m(x);            \
    r += __int2float_##m(*i) + __uint2float_##m(*u) + __ll2float_##m(*ll) + __ull2float_##m(*ull);
    MODES(OPS)
    *i += __float_as_int(x) + (int)__float_as_uint(y);
    f[3] = r + __int_as_float(*i) + __uint_as_float(*u);
}
__global__ void doubles(double* d, float* f, int* i, unsigned* u, long long* ll, unsigned long long* ull) {
    double x = d[0], y = d[1], z = d[2], r = 0;
#define OPS_D(m)                                                                                                          \
    r += __dadd_##m(x, y) + __dsub_##m(x, y) + __dmul_##m(x, y) + __ddiv_##m(x, y) + __fma_##m(x, y, z) + __drcp_##m(x) + __dsqrt_##m(x); \
    *i += __double2int_##m(x), *u += __double2uint_##m(x), *ll += __double2ll_##m(x), *ull += __double2ull_##m(x);        \
    r += __ll2double_##m(*ll) + __ull2double_##m(*ull);                                                                   \
    *f += __double2float_##m(x);
    MODES(OPS_D)
    r += __int2double_rn(*i) + __uint2double_rn(*u) + __longlong_as_double(__double_as_longlong(x)) +
         __hiloint2double(__double2hiint(x), __double2loint(y));
    d[3] = r;
}
int main() {}
