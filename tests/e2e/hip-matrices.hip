// Matrix instructions of the MI200s and MI300s, by the layouts that AMD publishes, against products on the
// host: doubles, BF16 by four elements, 8-bit integers and floats.
// RUN: lockstep run --gpu mi210 %s
// OUT: ^gfx90a: 4 products$
// NOT: wrong
// RUN: lockstep run --gpu mi300x %s
// OUT: ^gfx942: 9 products$
// NOT: wrong
// By hand: the kernel of doubles has one product of 16 rows (32 cycles) and one of 4 (16); 2560 operations.
// RUN: lockstep profile --gpu mi210 -k doubles --metrics SQ_INSTS_MFMA,SQ_VALU_MFMA_BUSY_CYCLES,SQ_INSTS_VALU_MFMA_MOPS_F64 %s
// OUT: SQ_INSTS_MFMA +SQ_INSTS_MFMA +2 +2 +2
// OUT: SQ_VALU_MFMA_BUSY_CYCLES +SQ_VALU_MFMA_BUSY_CYCLES +48 +48 +48
// OUT: SQ_INSTS_VALU_MFMA_MOPS_F64 +SQ_INSTS_VALU_MFMA_MOPS_F64 +5 +5 +5
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

typedef double double4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef float float16v __attribute__((ext_vector_type(16)));
typedef short short4v __attribute__((ext_vector_type(4)));
typedef int int4v __attribute__((ext_vector_type(4)));
typedef int int16v __attribute__((ext_vector_type(16)));

// A lane's elements lie behind each other.
__global__ void doubles(const double* a, const double* b, double* d, double* small) {
    const int lane = threadIdx.x;
    double4v sum = {1, 1, 1, 1};
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[lane], b[lane], sum, 0, 0, 0);
    for (int v = 0; v < 4; ++v) d[(4 * v + lane / 16) * 16 + lane % 16] = sum[v];
    const int block = lane / 4 % 4;
    small[block * 16 + lane / 16 * 4 + lane % 4] =
        __builtin_amdgcn_mfma_f64_4x4x4f64(a[lane], b[lane], 2.0, 0, 0, 0);
}

__global__ void brains(const short4v* a, const short4v* b, float* d, float* large) {
    const int lane = threadIdx.x;
    const float4v sum =
        __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a[lane], b[lane], float4v{1, 1, 1, 1}, 0, 0, 0);
    for (int v = 0; v < 4; ++v) d[(4 * (lane / 16) + v) * 16 + lane % 16] = sum[v];
    float16v more = 0;
    more = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a[lane], b[lane], more, 0, 0, 0);
    for (int v = 0; v < 16; ++v) large[(8 * (v / 4) + 4 * (lane / 32) + v % 4) * 32 + lane % 32] = more[v];
}

__global__ void bytes(const long* a, const long* b, int* whole, int* large, float* e4, float* e5,
                      float* mixed) {
#ifdef __gfx942__
    const int lane = threadIdx.x;
    const int4v w = __builtin_amdgcn_mfma_i32_16x16x32_i8(a[lane], b[lane], int4v{2, 2, 2, 2}, 0, 0, 0);
    const float4v zero = {0, 0, 0, 0};
    const float4v x = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a[lane], b[lane], zero, 0, 0, 0);
    const float4v y = __builtin_amdgcn_mfma_f32_16x16x32_bf8_bf8(a[lane], b[lane], zero, 0, 0, 0);
    const float4v z = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(a[lane], b[lane], zero, 0, 0, 0);
    for (int v = 0; v < 4; ++v) {
        const int at = (4 * (lane / 16) + v) * 16 + lane % 16;
        whole[at] = w[v], e4[at] = x[v], e5[at] = y[v], mixed[at] = z[v];
    }
    int16v more = 0;
    more = __builtin_amdgcn_mfma_i32_32x32x16_i8(a[lane], b[lane], more, 0, 0, 0);
    for (int v = 0; v < 16; ++v) large[(8 * (v / 4) + 4 * (lane / 32) + v % 4) * 32 + lane % 32] = more[v];
#endif
}

template <class T>
struct Array {
    std::vector<T> host;
    T* device;
    explicit Array(size_t n) : host(n) { (void)hipMalloc(&device, n * sizeof(T)); }
    void up() { (void)hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice); }
    void down() { (void)hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost); }
};

int products = 0;
// What a lane holds of A is its row's, of B its column's: `each` neighbours in depth, further lanes behind
// them.
template <class D, class A, class B>
void expect(const char* name, const Array<D>& d, int size, int blocks, int depth, int each, double start, A a,
            B b) {
    int wrong = 0;
    for (int block = 0; block < blocks; ++block)
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) {
                double sum = start;
                for (int k = 0; k < depth; ++k) {
                    const int beyond = (k / each * blocks + block) * size;
                    sum += a((beyond + i) * each + k % each) * b((beyond + j) * each + k % each);
                }
                wrong += double(d.host[(block * size + i) * size + j]) != sum;
            }
    if (wrong) printf("wrong: %s, %d elements\n", name, wrong);
    ++products;
}

// With so many bits of exponent, and neither infinities nor -0.
double small_float(int bits, int exponent_bits) {
    const int fraction_bits = 7 - exponent_bits, e = (bits & 127) >> fraction_bits;
    const double f = double(bits & ((1 << fraction_bits) - 1)) / (1 << fraction_bits);
    const double value = std::ldexp(e ? 1 + f : f, (e ? e : 1) - (1 << (exponent_bits - 1)));
    return bits & 128 ? -value : value;
}

int main() {
    hipDeviceProp_t properties;
    (void)hipGetDeviceProperties(&properties, 0);
    const bool newest = !std::strncmp(properties.gcnArchName, "gfx942", 6);

    Array<double> a(64), b(64), d(256), small(64);
    for (int i = 0; i < 64; ++i) a.host[i] = i * 7 % 13 - 6 + 0.25, b.host[i] = i * 5 % 11 - 5.5;
    a.up(), b.up();
    doubles<<<1, 64>>>(a.device, b.device, d.device, small.device);
    d.down(), small.down();
    const auto of = [](const auto& array) { return [&](int i) { return double(array.host[i]); }; };
    expect("f64 16x16x4", d, 16, 1, 4, 1, 1, of(a), of(b));
    expect("f64 4x4x4", small, 4, 4, 4, 1, 2, of(a), of(b));

    Array<short> p(256), q(256);
    const auto brain = [](short bits) {
        const unsigned word = unsigned(static_cast<unsigned short>(bits)) << 16;
        float value;
        std::memcpy(&value, &word, 4);
        return double(value);
    };
    const short numbers[] = {0x3f80, 0x4000, short(0xbf80), 0x3f00, 0x4040};  // 1, 2, -1, 0.5, 3
    for (int i = 0; i < 256; ++i) p.host[i] = numbers[i * 3 % 5], q.host[i] = numbers[i * i % 5];
    p.up(), q.up();
    Array<float> f(256), large(1024);
    brains<<<1, 64>>>((const short4v*)p.device, (const short4v*)q.device, f.device, large.device);
    f.down(), large.down();
    const auto pb = [&](int i) { return brain(p.host[i]); };
    const auto qb = [&](int i) { return brain(q.host[i]); };
    expect("bf16 16x16x16", f, 16, 1, 16, 4, 1, pb, qb);
    expect("bf16 32x32x8", large, 32, 1, 8, 4, 0, pb, qb);

    if (newest) {
        Array<long> x(64), y(64);
        auto* xs = (unsigned char*)x.host.data();
        auto* ys = (unsigned char*)y.host.data();
        for (int i = 0; i < 512; ++i) xs[i] = i * 29 % 127 | (i & 128), ys[i] = i * 53 % 127 + 1;
        x.up(), y.up();
        Array<int> whole(256), more(1024);
        Array<float> e4(256), e5(256), mixed(256);
        bytes<<<1, 64>>>(x.device, y.device, whole.device, more.device, e4.device, e5.device, mixed.device);
        whole.down(), more.down(), e4.down(), e5.down(), mixed.down();
        const auto integer = [](const unsigned char* v) {
            return [v](int i) { return double((signed char)v[i]); };
        };
        expect("i8 16x16x32", whole, 16, 1, 32, 8, 2, integer(xs), integer(ys));
        expect("i8 32x32x16", more, 32, 1, 16, 8, 0, integer(xs), integer(ys));
        // Of few bits, so that sums of floats are exact in any order.
        for (int i = 0; i < 512; ++i) xs[i] = 0x38 + i * 29 % 24 | (i & 128), ys[i] = 0x40 + i * 53 % 16;
        x.up(), y.up();
        bytes<<<1, 64>>>(x.device, y.device, whole.device, more.device, e4.device, e5.device, mixed.device);
        e4.down(), e5.down(), mixed.down();
        const auto floats = [](const unsigned char* v, int bits) {
            return [=](int i) { return small_float(v[i], bits); };
        };
        expect("fp8 16x16x32", e4, 16, 1, 32, 8, 0, floats(xs, 4), floats(ys, 4));
        expect("bf8 16x16x32", e5, 16, 1, 32, 8, 0, floats(xs, 5), floats(ys, 5));
        expect("fp8 bf8 16x16x32", mixed, 16, 1, 32, 8, 0, floats(xs, 4), floats(ys, 5));
    }
    printf("%.6s: %d products\n", properties.gcnArchName, products);
}
