// CUB's functions for whole arrays, compiled by clang, and their kernels in a profile under the names that
// they have elsewhere.
// RUN: lockstep profile --metrics achieved_occupancy %s
// OUT: ^Sum 12497500$
// OUT: ^InclusiveSum 5000 of 5000$
// OUT: ^If 2500: 2500 of 2500$
// OUT: ^HistogramEven 5 of 5$
// OUT: void cub::CUB_[0-9]+_900_NS::DeviceReduceSingleTileKernel<
// NOT: warning
#include <cstdio>
#include <cub/cub.cuh>  // all of it, as most programs do

constexpr int count = 5000;

struct Even {
    __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};

// Each function is called twice: for the size of the memory that it works in, and to work.
template <class Function>
void with_memory(Function function) {
    size_t bytes = 0;
    void* memory = nullptr;
    if (function(nullptr, bytes) != cudaSuccess || cudaMalloc(&memory, bytes) != cudaSuccess ||
        function(memory, bytes) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        printf("failed: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(memory);
}

template <class T>
T* managed(int n) {
    T* memory;
    cudaMallocManaged(&memory, n * sizeof(T));
    return memory;
}

template <class Condition>
int how_many(int n, Condition condition) {
    int found = 0;
    for (int i = 0; i < n; ++i) found += condition(i);
    return found;
}

int main() {
    int *in = managed<int>(count), *out = managed<int>(count), *found = managed<int>(1);
    for (int i = 0; i < count; ++i) in[i] = i;

    with_memory([&](void* m, size_t& b) { return cub::DeviceReduce::Sum(m, b, in, out, count); });
    printf("Sum %d\n", out[0]);

    with_memory([&](void* m, size_t& b) { return cub::DeviceScan::InclusiveSum(m, b, in, out, count); });
    printf("InclusiveSum %d of %d\n", how_many(count, [&](int i) { return out[i] == i * (i + 1) / 2; }),
           count);

    with_memory(
        [&](void* m, size_t& b) { return cub::DeviceSelect::If(m, b, in, out, found, count, Even()); });
    printf("If %d: %d of %d\n", *found, how_many(*found, [&](int i) { return out[i] == 2 * i; }), count / 2);

    with_memory([&](void* m, size_t& b) {
        return cub::DeviceHistogram::HistogramEven(m, b, in, out, 6, 0, count, count);
    });
    printf("HistogramEven %d of 5\n", how_many(5, [&](int i) { return out[i] == count / 5; }));
}
