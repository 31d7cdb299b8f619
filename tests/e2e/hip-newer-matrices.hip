// Matrix instructions that only the MI300s have, against products on the host: f32 of which ten bits of
// fraction count (xf32), sparse matrices (smfmac), and doubles whose signs the instruction turns.
// RUN: lockstep run --gpu mi300x %s
// OUT: ^12 products$
// NOT: wrong
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

typedef double double4v __attribute__((ext_vector_type(4)));
typedef float float2v __attribute__((ext_vector_type(2)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef float float16v __attribute__((ext_vector_type(16)));
typedef _Float16 half4v __attribute__((ext_vector_type(4)));
typedef _Float16 half8v __attribute__((ext_vector_type(8)));
typedef short short4v __attribute__((ext_vector_type(4)));
typedef short short8v __attribute__((ext_vector_type(8)));
typedef int int2v __attribute__((ext_vector_type(2)));
typedef int int4v __attribute__((ext_vector_type(4)));
typedef int int16v __attribute__((ext_vector_type(16)));

template <class V, class D>
__device__ void store(const V& sum, int size, D* d) {
    const int lane = threadIdx.x;
    for (int v = 0; v < size * size / 64; ++v)
        d[(v / 4 * 4 * (64 / size) + 4 * (lane / size) + v % 4) * size + lane % size] = sum[v];
}

__global__ void rounded(const float2v* a, const float2v* b, float* small, float* large) {
    const int lane = threadIdx.x;
    float4v s = 1;
    store(__builtin_amdgcn_mfma_f32_16x16x8_xf32(a[lane], b[lane], s, 0, 0, 0), 16, small);
    float16v l = 0;
    store(__builtin_amdgcn_mfma_f32_32x32x4_xf32(a[lane], b[lane], l, 0, 0, 0), 32, large);
}

__global__ void turned(const double* a, const double* b, double* d, double* small) {
    const int lane = threadIdx.x;
    double4v sum = {1, 1, 1, 1};
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[lane], b[lane], sum, 0, 0, 5);  // A and C
    for (int v = 0; v < 4; ++v) d[(4 * v + lane / 16) * 16 + lane % 16] = sum[v];
    small[lane / 4 % 4 * 16 + lane / 16 * 4 + lane % 4] =
        __builtin_amdgcn_mfma_f64_4x4x4f64(a[lane], b[lane], 2.0, 0, 0, 2);  // B
}

__global__ void halves(const half4v* a, const half8v* b, const int* index, float* small, float* set,
                       float* large) {
    const int lane = threadIdx.x;
    float4v s = 1;
    store(__builtin_amdgcn_smfmac_f32_16x16x32_f16(a[lane], b[lane], s, index[lane], 0, 0), 16, small);
    store(__builtin_amdgcn_smfmac_f32_16x16x32_f16(a[lane], b[lane], s, index[lane], 0, 3), 16, set);
    float16v l = 0;
    store(__builtin_amdgcn_smfmac_f32_32x32x16_f16(a[lane], b[lane], l, index[lane], 0, 1), 32, large);
}

__global__ void brains(const short4v* a, const short8v* b, const int* index, float* small, float* same) {
    const int lane = threadIdx.x;
    float4v s = 1;
    store(__builtin_amdgcn_smfmac_f32_16x16x32_bf16(a[lane], b[lane], s, index[lane], 0, 2), 16, small);
    // With cbsz the first part of the index counts, whatever abid says.
    store(__builtin_amdgcn_smfmac_f32_16x16x32_bf16(a[lane], b[lane], s, index[lane], 1, 2), 16, same);
}

__global__ void bytes(const int2v* a, const int4v* b, const int* index, int* small, int* large, float* e4) {
    const int lane = threadIdx.x;
    int4v s = 3;
    store(__builtin_amdgcn_smfmac_i32_16x16x64_i8(a[lane], b[lane], s, index[lane], 0, 1), 16, small);
    int16v l = 0;
    store(__builtin_amdgcn_smfmac_i32_32x32x32_i8(a[lane], b[lane], l, index[lane], 0, 0), 32, large);
    float4v f = 0;
    store(__builtin_amdgcn_smfmac_f32_16x16x64_fp8_bf8(a[lane], b[lane], f, index[lane], 0, 0), 16, e4);
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
// a(row, k), b(k, column)
template <class D, class A, class B>
void expect(const char* name, Array<D>& d, int size, int depth, double start, A a, B b) {
    d.down();
    int wrong = 0;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            double sum = start;
            for (int k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
            wrong += double(d.host[i * size + j]) != sum;
        }
    if (wrong) printf("wrong: %s, %d elements\n", name, wrong);
    ++products;
}

double small_float(int bits, int exponent_bits) {
    const int fraction_bits = 7 - exponent_bits, e = (bits & 127) >> fraction_bits;
    const double f = double(bits & ((1 << fraction_bits) - 1)) / (1 << fraction_bits);
    const double value = std::ldexp(e ? 1 + f : f, (e ? e : 1) - (1 << (exponent_bits - 1)));
    return bits & 128 ? -value : value;
}

int main() {
    // A row's or column's element k: `each` neighbours in a lane, the next ones in further lanes.
    const auto at = [](int size, int each, int line, int k) {
        return (k / each * size + line) * each + k % each;
    };

    Array<float2v> a(64), b(64);
    Array<float> small(256), large(1024), set(256);
    auto* as = (float*)a.host.data();
    auto* bs = (float*)b.host.data();
    for (int i = 0; i < 128; ++i) as[i] = 1 + i % 9 / 1024.f, bs[i] = i * 5 % 7 - 3;
    as[5] = 1 + 3 / 2048.f;  // half way: to the even neighbour, 1 + 2/1024
    as[6] = 1 + 5 / 4096.f;  // to 1 + 1/1024
    a.up(), b.up();
    rounded<<<1, 64>>>(a.device, b.device, small.device, large.device);
    as[5] = 1 + 2 / 1024.f, as[6] = 1 + 1 / 1024.f;
    for (const auto& [d, size, depth, start] :
         {std::tuple{&small, 16, 8, 1.0}, std::tuple{&large, 32, 4, 0.0}})
        expect(
            "xf32", *d, size, depth, start, [&, s = size](int i, int k) { return as[at(s, 2, i, k)]; },
            [&, s = size](int k, int j) { return bs[at(s, 2, j, k)]; });

    Array<double> x(64), y(64), d(256), blocks(64);
    for (int i = 0; i < 64; ++i) x.host[i] = i * 7 % 13 - 6 + 0.25, y.host[i] = i * 5 % 11 - 5.5;
    x.up(), y.up();
    turned<<<1, 64>>>(x.device, y.device, d.device, blocks.device);
    expect(
        "f64 with -A and -C", d, 16, 4, -1, [&](int i, int k) { return -x.host[16 * k + i]; },
        [&](int k, int j) { return y.host[16 * k + j]; });
    blocks.down();
    int wrong = 0;
    for (int block = 0; block < 4; ++block)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                double sum = 2;
                for (int k = 0; k < 4; ++k)
                    sum -= x.host[16 * k + 4 * block + i] * y.host[16 * k + 4 * block + j];
                wrong += blocks.host[16 * block + 4 * i + j] != sum;
            }
    if (wrong) printf("wrong: f64 4x4x4 with -B\n");
    ++products;

    // A dense view of a sparse A: of four neighbours two are there, where the index says.
    Array<int> index(64);
    for (int lane = 0; lane < 64; ++lane) {
        unsigned bits = 0;
        for (int pair = 0; pair < 8; ++pair) {
            const int first = (lane + pair) % 3, second = first + 1 + (lane * 5 + pair) % (3 - first);
            bits |= unsigned(first | second << 2) << 4 * pair;
        }
        index.host[lane] = int(bits);
    }
    index.up();
    const auto dense = [&](int size, int each, int part, const auto& stored) {
        return [&, size, each, part](int i, int k) {
            const int lane = k / (2 * each) * size + i, group = k % (2 * each) / 4;
            for (int n = 2 * group; n < 2 * group + 2; ++n)
                if ((unsigned(index.host[lane]) >> (2 * (part * each + n)) & 3) == unsigned(k % 4))
                    return double(stored(lane * each + n));
            return 0.0;
        };
    };

    Array<half4v> p(64);
    Array<half8v> q(64);
    auto* ps = (_Float16*)p.host.data();
    auto* qs = (_Float16*)q.host.data();
    for (int i = 0; i < 256; ++i) ps[i] = _Float16(i * 7 % 15 - 7);
    for (int i = 0; i < 512; ++i) qs[i] = _Float16(i * 11 % 13 - 6);
    p.up(), q.up();
    halves<<<1, 64>>>(p.device, q.device, index.device, small.device, set.device, large.device);
    const auto half_a = [&](int i) { return ps[i]; };
    const auto half_b = [&](int size) {
        return [&, size](int k, int j) { return double(qs[at(size, 8, j, k)]); };
    };
    expect("sparse f16 16x16x32", small, 16, 32, 1, dense(16, 4, 0, half_a), half_b(16));
    expect("sparse f16, fourth indices", set, 16, 32, 1, dense(16, 4, 3, half_a), half_b(16));
    expect("sparse f16 32x32x16", large, 32, 16, 0, dense(32, 4, 1, half_a), half_b(32));

    Array<short4v> r(64);
    Array<short8v> t(64);
    auto* rs = (unsigned short*)r.host.data();
    auto* ts = (unsigned short*)t.host.data();
    const auto brain = [](unsigned short bits) {
        const unsigned word = unsigned(bits) << 16;
        float value;
        std::memcpy(&value, &word, 4);
        return value;
    };
    const unsigned short numbers[] = {0x3f80, 0x4000, 0xbf80, 0x3f00, 0x4040};  // 1, 2, -1, 0.5, 3
    for (int i = 0; i < 256; ++i) rs[i] = numbers[i * 3 % 5];
    for (int i = 0; i < 512; ++i) ts[i] = numbers[i * i % 5];
    r.up(), t.up();
    brains<<<1, 64>>>(r.device, t.device, index.device, small.device, set.device);
    const auto brain_a = [&](int i) { return brain(rs[i]); };
    const auto brain_b = [&](int k, int j) { return double(brain(ts[at(16, 8, j, k)])); };
    expect("sparse bf16 16x16x32", small, 16, 32, 1, dense(16, 4, 2, brain_a), brain_b);
    expect("sparse bf16, cbsz", set, 16, 32, 1, dense(16, 4, 0, brain_a), brain_b);

    Array<int2v> u(64);
    Array<int4v> w(64);
    Array<int> whole(256), more(1024);
    auto* us = (signed char*)u.host.data();
    auto* ws = (signed char*)w.host.data();
    for (int i = 0; i < 512; ++i) us[i] = i * 29 % 127 - 60;
    for (int i = 0; i < 1024; ++i) ws[i] = i * 53 % 127 - 60;
    u.up(), w.up();
    bytes<<<1, 64>>>(u.device, w.device, index.device, whole.device, more.device, small.device);
    const auto byte_a = [&](int i) { return us[i]; };
    const auto byte_b = [&](int size) {
        return [&, size](int k, int j) { return double(ws[at(size, 16, j, k)]); };
    };
    expect("sparse i8 16x16x64", whole, 16, 64, 3, dense(16, 8, 1, byte_a), byte_b(16));
    expect("sparse i8 32x32x32", more, 32, 32, 0, dense(32, 8, 0, byte_a), byte_b(32));
    // Of few bits, so that sums are exact in any order.
    for (int i = 0; i < 512; ++i) us[i] = 0x38 + i * 29 % 24;
    for (int i = 0; i < 1024; ++i) ws[i] = 0x40 + i * 53 % 16;
    u.up(), w.up();
    bytes<<<1, 64>>>(u.device, w.device, index.device, whole.device, more.device, small.device);
    expect("sparse fp8 by bf8", small, 16, 64, 0,
           dense(16, 8, 0, [&](int i) { return small_float((unsigned char)us[i], 4); }),
           [&](int k, int j) { return small_float((unsigned char)ws[at(16, 16, j, k)], 5); });
    printf("%d products\n", products);
}
