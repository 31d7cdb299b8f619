// nvcuda::wmma for every type and shape: products of small whole numbers, which are exact.
// RUN: lockstep run %s
// OUT: ^45 products, 0 wrong$
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace nvcuda;

int products = 0, wrong = 0;

template <class T>
struct Stored {
    using type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
    using type = float;
};

template <class T>
constexpr bool is_tf32 = false;
template <>
constexpr bool is_tf32<wmma::precision::tf32> = true;

template <class Layout>
constexpr bool is_row = false;
template <>
constexpr bool is_row<wmma::row_major> = true;

// Twice the product, plus c, with c and d in either layout.
template <int m, int n, int k, class T, class C, class D, class LayoutA, class LayoutB>
__global__ void multiply(const typename Stored<T>::type* a, const typename Stored<T>::type* b, const C* c,
                         D* d, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> x;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> y;
    wmma::fragment<wmma::accumulator, m, n, k, C> z;
    wmma::fragment<wmma::accumulator, m, n, k, D> sum;
    wmma::load_matrix_sync(x, a, is_row<LayoutA> ? k + 16 : m + 16);
    wmma::load_matrix_sync(y, b, is_row<LayoutB> ? n + 16 : k + 16);
    wmma::load_matrix_sync(z, c, layout == wmma::mem_row_major ? n : m, layout);
    for (int i = 0; i < x.num_elements; ++i) {
        x.x[i] = x.x[i] + x.x[i];
        if constexpr (is_tf32<T>) x.x[i] = wmma::__float_to_tf32(x.x[i]);
    }
    wmma::mma_sync(sum, x, y, z);
    wmma::store_matrix_sync(d, sum, layout == wmma::mem_row_major ? n : m, layout);
}

template <int m, int n, int k, class T, class C, class D, class LayoutA, class LayoutB>
void check() {
    using E = typename Stored<T>::type;
    const int lda = is_row<LayoutA> ? k + 16 : m + 16, ldb = is_row<LayoutB> ? n + 16 : k + 16;
    E *a, *b;
    C* c;
    D* d;
    cudaMallocManaged(&a, 2 * 48 * 48 * sizeof(E));
    cudaMallocManaged(&b, 2 * 48 * 48 * sizeof(E));
    cudaMallocManaged(&c, m * n * sizeof(C));
    cudaMallocManaged(&d, m * n * sizeof(D));
    for (wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
        for (int i = 0; i < 2 * 48 * 48; ++i)
            a[i] = E(float(std::rand() % 7)), b[i] = E(float(std::rand() % 5));
        for (int i = 0; i < m * n; ++i) c[i] = C(float(std::rand() % 9)), d[i] = D(-1.0f);
        multiply<m, n, k, T, C, D, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, layout);
        bool good = cudaDeviceSynchronize() == cudaSuccess;
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                const int at = layout == wmma::mem_row_major ? i * n + j : j * m + i;
                float sum = float(c[at]);
                for (int e = 0; e < k; ++e)
                    sum += 2 * float(a[is_row<LayoutA> ? i * lda + e : e * lda + i]) *
                           float(b[is_row<LayoutB> ? e * ldb + j : j * ldb + e]);
                good &= float(d[at]) == sum;
            }
        ++products;
        if (!good) {
            ++wrong;
            std::printf("wrong: %s layout %d\n", __PRETTY_FUNCTION__, layout);
        }
    }
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

template <int m, int n, int k, class T, class C, class D>
void check_layouts() {
    check<m, n, k, T, C, D, wmma::row_major, wmma::col_major>();
    check<m, n, k, T, C, D, wmma::col_major, wmma::row_major>();
}

template <class T, class C, class D>
void check_shapes() {
    check_layouts<16, 16, 16, T, C, D>();
    check<32, 8, 16, T, C, D, wmma::row_major, wmma::col_major>();
    check<8, 32, 16, T, C, D, wmma::col_major, wmma::row_major>();
}

// Elements of less than a byte: rows of a and columns of b, in words.
__global__ void multiply_nibbles(const int* a, const int* b, int* d) {
    using wmma::experimental::precision::s4;
    wmma::fragment<wmma::matrix_a, 8, 8, 32, s4, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, s4, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
    wmma::fill_fragment(sum, 1);
    wmma::load_matrix_sync(x, a, 32);
    wmma::load_matrix_sync(y, b, 32);
    wmma::mma_sync(sum, x, y, sum);
    wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

__global__ void multiply_bits(const int* a, const int* b, int* d) {
    using wmma::experimental::precision::b1;
    wmma::fragment<wmma::matrix_a, 8, 8, 128, b1, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, b1, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
    wmma::fill_fragment(sum, 1);
    wmma::load_matrix_sync(x, a, 128);
    wmma::load_matrix_sync(y, b, 128);
    wmma::bmma_sync(sum, x, y, sum);
    wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

void check_small() {
    int *a, *b, *d;
    cudaMallocManaged(&a, 128), cudaMallocManaged(&b, 128), cudaMallocManaged(&d, 256);
    for (bool bits : {false, true}) {
        for (int i = 0; i < 32; ++i)
            a[i] = std::rand() * 31 + std::rand(), b[i] = std::rand() * 31 + std::rand();
        bits ? multiply_bits<<<1, 32>>>(a, b, d) : multiply_nibbles<<<1, 32>>>(a, b, d);
        bool good = cudaDeviceSynchronize() == cudaSuccess;
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j) {
                int sum = 1;
                for (int w = 0; w < 4; ++w) {
                    if (bits) sum += __builtin_popcount(a[i * 4 + w] ^ b[j * 4 + w]);
                    for (int e = 0; e < 8 && !bits; ++e)
                        sum += (a[i * 4 + w] << (28 - 4 * e) >> 28) * (b[j * 4 + w] << (28 - 4 * e) >> 28);
                }
                good &= d[i * 8 + j] == sum;
            }
        ++products;
        if (!good) ++wrong, std::printf("wrong: %s\n", bits ? "b1" : "s4");
    }
}

// A warp multiplies together, also where one lane alone uses what comes out.
__global__ void multiply_for_one(float* sums) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(x, __float2bfloat16(1.5f));
    wmma::fill_fragment(y, __float2bfloat16(2.0f));
    wmma::fill_fragment(sum, 1.0f);
    wmma::mma_sync(sum, x, y, sum);
    if (threadIdx.x == 0) sums[0] = sum.x[0];
    float assembled[4];
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
        : "=f"(assembled[0]), "=f"(assembled[1]), "=f"(assembled[2]), "=f"(assembled[3])
        : "r"(0x3c003c00), "r"(0x40004000), "f"(3.0f));
    if (threadIdx.x == 1) sums[1] = assembled[3];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> loaded;
    wmma::load_matrix_sync(loaded, sums + 256, 16, wmma::mem_row_major);
    if (threadIdx.x == 2) sums[2] = loaded.x[0];
}

void check_for_one() {
    float* sums;
    cudaMallocManaged(&sums, 512 * sizeof(float));
    sums[256 + 4] = 7;
    multiply_for_one<<<1, 32>>>(sums);
    const bool ran = cudaDeviceSynchronize() == cudaSuccess;
    const float expected[] = {49, 19, 7};
    for (int i = 0; i < 3; ++i) {
        ++products;
        if (!ran || sums[i] != expected[i]) ++wrong, std::printf("wrong: %g for one lane\n", sums[i]);
    }
}

int main() {
    check_shapes<half, float, float>();
    check<16, 16, 16, half, half, half, wmma::row_major, wmma::row_major>();
    check<16, 16, 16, half, half, float, wmma::col_major, wmma::col_major>();
    check<16, 16, 16, half, float, half, wmma::row_major, wmma::col_major>();
    check_shapes<__nv_bfloat16, float, float>();
    check_shapes<signed char, int, int>();
    check<16, 16, 16, unsigned char, int, int, wmma::row_major, wmma::col_major>();
    check_layouts<16, 16, 8, wmma::precision::tf32, float, float>();
    check<8, 8, 4, double, double, double, wmma::row_major, wmma::col_major>();
    check<8, 8, 4, double, double, double, wmma::col_major, wmma::row_major>();
    check_small();
    check_for_one();
    std::printf("%d products, %d wrong\n", products, wrong);
    return wrong != 0;
}
