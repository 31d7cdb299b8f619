// Every atomic operation for every type that has it, in global and in shared memory, and what they return.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^atomics-types ok$
#include "support/check.h"

constexpr int threads = 96, blocks = 4, n = threads * blocks;

template <class T>
struct Cells {
    T add, exchange, smallest, largest, all_bits, any_bits, parity, compare;
};

template <class T>
__device__ void integer_operations(Cells<T>* cells, int i) {
    atomicAdd(&cells->add, static_cast<T>(i));
    atomicExch(&cells->exchange, static_cast<T>(i + 1));
    atomicMin(&cells->smallest, static_cast<T>(1000 - i));
    atomicMax(&cells->largest, static_cast<T>(i * 3));
    atomicAnd(&cells->all_bits, ~(static_cast<T>(1) << (i % 16)));
    atomicOr(&cells->any_bits, static_cast<T>(1) << (i % 20));
    atomicXor(&cells->parity, static_cast<T>(i));
    T old = cells->compare, assumed;
    do {
        assumed = old;
        old = atomicCAS(&cells->compare, assumed, static_cast<T>(assumed + 2));
    } while (old != assumed);
}

template <class T>
__global__ void in_global(Cells<T>* cells) {
    integer_operations(cells, blockIdx.x * blockDim.x + threadIdx.x);
}

template <class T>
__global__ void in_shared(Cells<T>* out, Cells<T> start) {
    __shared__ Cells<T> cells;
    if (threadIdx.x == 0) cells = start;
    __syncthreads();
    for (int b = 0; b < blocks; ++b) integer_operations(&cells, b * threads + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *out = cells;
}

template <class T>
static void expect_cells(const Cells<T>& c, const char* where) {
    T parity = 0;
    for (int i = 0; i < n; ++i) parity ^= static_cast<T>(i);
    bool right = c.add == static_cast<T>(n * (n - 1) / 2) && c.exchange >= 1 &&
                 c.exchange <= static_cast<T>(n) && c.smallest == static_cast<T>(1000 - n + 1) &&
                 c.largest == static_cast<T>(3 * (n - 1)) && (c.all_bits & 0xFFFF) == 0 &&
                 c.any_bits == 0xFFFFF && c.parity == parity && c.compare == static_cast<T>(2 * n);
    if (!right && ++failures())
        std::printf("%s, %d bytes: %lld %lld %lld %lld %llx %llx %lld %lld\n", where,
                    static_cast<int>(sizeof(T)), static_cast<long long>(c.add),
                    static_cast<long long>(c.exchange), static_cast<long long>(c.smallest),
                    static_cast<long long>(c.largest), static_cast<long long>(c.all_bits),
                    static_cast<long long>(c.any_bits), static_cast<long long>(c.parity),
                    static_cast<long long>(c.compare));
}

template <class T>
static void check_integers() {
    Cells<T> start{0, 0, 5000, 0, static_cast<T>(~static_cast<T>(0)), 0, 0, 0};
    Cells<T>* cells = to_device(std::vector<Cells<T>>{start});
    in_global<<<blocks, threads>>>(cells);
    expect_cells(to_host(cells, 1)[0], "global");
    in_shared<<<1, threads>>>(cells, start);
    expect_cells(to_host(cells, 1)[0], "shared");
}

template <class T>
__global__ void add_floats(T* global, T* returned) {
    __shared__ T shared;
    if (threadIdx.x == 0) shared = 0;
    __syncthreads();
    T old = atomicAdd(global, static_cast<T>(0.5));
    atomicAdd(&shared, static_cast<T>(0.25));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(global + 1, shared);
    returned[blockIdx.x * blockDim.x + threadIdx.x] = old;
}

__global__ void others(int* ints, unsigned* words, float* floats, int* returned) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicSub(&ints[0], i);
    atomicSub(&words[0], 2u);
    returned[i] = static_cast<int>(atomicInc(&words[1], 9u));  // 0 … 9 and again
    atomicDec(&words[2], 4u);
    atomicExch(&floats[0], 1.5f);
    atomicMin(&ints[1], -i);
    atomicMax(&ints[2], i - 1000);
}

// Wider and narrower scopes than the device.
__global__ void scopes(int* cells) {
    __shared__ int block_sum;
    if (threadIdx.x == 0) block_sum = 0;
    __syncthreads();
    atomicAdd_block(&block_sum, 1);
    atomicAdd_system(&cells[0], 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax_system(&cells[1], block_sum);
}

__global__ void compare_short(unsigned short* cell) {
    unsigned short old = *cell, assumed;
    do {
        assumed = old;
        old = atomicCAS(cell, assumed, static_cast<unsigned short>(assumed + 1));
    } while (old != assumed);
}

int main() {
    check_integers<int>();
    check_integers<unsigned>();
    check_integers<unsigned long long>();

    float *floats = device_zeros<float>(2), *float_returns = device_zeros<float>(n);
    add_floats<<<blocks, threads>>>(floats, float_returns);
    auto f = to_host(floats, 2);
    EXPECT_AT(0, f[0], n * 0.5f);
    EXPECT_AT(1, f[1], n * 0.25f);
    auto returned = to_host(float_returns, n);  // every multiple of a half came back once
    double sum = 0;
    for (float x : returned) sum += x;
    EXPECT_AT(0, sum, 0.5 * n * (n - 1) / 2);
    double *doubles = device_zeros<double>(2), *double_returns = device_zeros<double>(n);
    add_floats<<<blocks, threads>>>(doubles, double_returns);
    auto d = to_host(doubles, 2);
    EXPECT_AT(0, d[0], n * 0.5);
    EXPECT_AT(1, d[1], n * 0.25);

    int *ints = device_zeros<int>(3), *increments = device_zeros<int>(n);
    unsigned* words = device_zeros<unsigned>(3);
    CUDA(cudaMemset(ints + 2, 0xFF, 4));
    others<<<blocks, threads>>>(ints, words, floats, increments);
    auto i = to_host(ints, 3);
    auto w = to_host(words, 3);
    EXPECT_AT(0, i[0], -n * (n - 1) / 2);
    EXPECT_AT(1, i[1], -(n - 1));
    EXPECT_AT(2, i[2], -1);
    EXPECT_AT(0, w[0], 0u - 2u * n);
    EXPECT_AT(1, w[1], n % 10);
    EXPECT_AT(2, w[2], (5 - n % 5) % 5);
    EXPECT_AT(0, to_host(floats, 1)[0], 1.5f);
    int seen[10] = {};
    for (int x : to_host(increments, n))
        if (x >= 0 && x < 10) ++seen[x];
    for (int k = 0; k < 10; ++k) EXPECT_AT(k, seen[k], n / 10 + (k < n % 10));

    CUDA(cudaMemset(ints, 0, 8));
    scopes<<<blocks, threads>>>(ints);
    i = to_host(ints, 2);
    EXPECT_AT(0, i[0], n);
    EXPECT_AT(1, i[1], threads);

    unsigned short* cell = device_zeros<unsigned short>(2);
    compare_short<<<blocks, threads>>>(cell);
    auto c = to_host(cell, 2);
    EXPECT_AT(0, c[0], n);
    EXPECT_AT(1, c[1], 0);
    return finish("atomics-types");
}
