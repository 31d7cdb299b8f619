// Local memory: arrays indexed at run time, structs by value, addresses passed to functions, generic
// pointers.
// RUN: lockstep run %s
// OUT: ^local-arrays ok$
// RUN: lockstep run -O0 %s
// OUT: ^local-arrays ok$
#include "support/check.h"

struct Matrix {
    double cells[3][3];
};

__host__ __device__ __noinline__ Matrix multiply(Matrix a, const Matrix& b) {
    Matrix c{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) c.cells[i][j] += a.cells[i][k] * b.cells[k][j];
    return c;
}

__host__ __device__ __noinline__ void accumulate(int* target, const int* source, int count) {
    for (int i = 0; i < count; ++i) target[i % 4] += source[i];
}

struct Packed {
    char c;
    short s;
    int i;
    long long l;
    float f;
    bool b;
};

__host__ __device__ void compute(int t, double* trace, int* histogram, unsigned char* bytes, int* packed) {
    int counts[16] = {};
    for (int i = 0; i < 50; ++i) ++counts[(t * 7 + i * i) % 16];
    for (int i = 0; i < 16; ++i) histogram[i] = counts[i];

    unsigned char local[20];
    for (int i = 0; i < 20; ++i) local[i] = static_cast<unsigned char>(t + i * 13);
    for (int i = 0; i < 20; ++i) bytes[i] = local[(i * 7 + t) % 20];

    Matrix m{};
    for (int i = 0; i < 9; ++i) m.cells[i / 3][i % 3] = (t + i) % 5;
    Matrix p = multiply(multiply(m, m), m);
    *trace = p.cells[0][0] + p.cells[1][1] + p.cells[2][2];

    Packed items[3] = {
        {'a', -1, t, 1ll << 40, 0.5f, true}, {'b', 300, -t, -7, 1.5f, false}, {'c', 5, 9, t, 2.5f, true}};
    const Packed& item = items[t % 3];
    packed[0] =
        item.c + item.s + item.i + static_cast<int>(item.l >> 3) + static_cast<int>(item.f * 2) + item.b;
    int sums[4] = {1, 2, 3, 4};
    accumulate(sums, counts, 16);
    packed[1] = sums[t % 4];
}

__global__ void in_local(double* traces, int* histograms, unsigned char* bytes, int* packed) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    compute(t, traces + t, histograms + t * 16, bytes + t * 20, packed + t * 2);
}

// One function, pointers into three kinds of memory: the address must say which.
__device__ __noinline__ int sum_of(const int* values, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += values[i];
    return sum;
}

__global__ void generic_pointers(const int* global, int* out) {
    __shared__ int shared[8];
    int local[8], t = threadIdx.x;
    if (t < 8) shared[t] = t * 100;
    for (int i = 0; i < 8; ++i) local[i] = i + t;
    __syncthreads();
    const int* chosen = t % 3 == 0 ? global : t % 3 == 1 ? shared : local;
    out[t] = sum_of(chosen, 8);
}

int main() {
    const int n = 64;
    double* traces = device_zeros<double>(n);
    int *histograms = device_zeros<int>(n * 16), *packed = device_zeros<int>(n * 2);
    unsigned char* bytes = device_zeros<unsigned char>(n * 20);
    in_local<<<2, n / 2>>>(traces, histograms, bytes, packed);
    auto tr = to_host(traces, n);
    auto hi = to_host(histograms, n * 16);
    auto by = to_host(bytes, n * 20);
    auto pa = to_host(packed, n * 2);
    for (int t = 0; t < n; ++t) {
        double trace = 0;
        int histogram[16], pair[2];
        unsigned char expected[20];
        compute(t, &trace, histogram, expected, pair);
        EXPECT_AT(t, tr[t], trace);
        for (int i = 0; i < 16; ++i) EXPECT_AT(t * 16 + i, hi[t * 16 + i], histogram[i]);
        for (int i = 0; i < 20; ++i) EXPECT_AT(t * 20 + i, by[t * 20 + i], expected[i]);
        EXPECT_AT(t, pa[t * 2], pair[0]);
        EXPECT_AT(t, pa[t * 2 + 1], pair[1]);
    }
    int *global = to_device(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}), *out = device_zeros<int>(48);
    generic_pointers<<<1, 48>>>(global, out);
    auto g = to_host(out, 48);
    for (int t = 0; t < 48; ++t) EXPECT_AT(t, g[t], t % 3 == 0 ? 36 : t % 3 == 1 ? 2800 : 28 + 8 * t);
    return finish("local-arrays");
}
