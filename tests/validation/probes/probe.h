// What every probe program shares. A probe is a small kernel that asks one question of a GPU's counters;
// KERNEL defines it and puts it on the list, and main() launches the list in order and prints a hash of each
// result, so that a recording holds results as well as counts.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <type_traits>
#include <vector>

#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t status = (call);                                                    \
        if (status != cudaSuccess) {                                                    \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                               \
        }                                                                               \
    } while (0)

constexpr int elements = 1 << 16;  // of the input and of the output

inline std::vector<std::function<void()>>& probes() {
    static std::vector<std::function<void()>> list;
    return list;
}

inline std::uint32_t scrambled(std::uint32_t i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

// Numbers in (0, 1] for floats, 1 to 1000 for integers, scrambled bytes for anything else.
template <class T>
T input_value(int i) {
    const std::uint32_t bits = scrambled(i);
    if constexpr (std::is_floating_point_v<T>) {
        return T((bits >> 8) + 1) / T(1 << 24);
    } else if constexpr (std::is_integral_v<T>) {
        return T(bits % 1000 + 1);
    } else {
        T value;
        for (std::size_t k = 0; k < sizeof(T); ++k)
            reinterpret_cast<unsigned char*>(&value)[k] = bits >> (k % 4 * 8);
        return value;
    }
}

template <class T>
void launch(const char* name, void (*kernel)(T*, const T*, int), dim3 grid, dim3 block, int n) {
    std::vector<T> values(elements);
    for (int i = 0; i < elements; ++i) values[i] = input_value<T>(i);
    T *out, *in;
    const std::size_t bytes = elements * sizeof(T);
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMemset(out, 0, bytes));
    CHECK(cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice));
    kernel<<<grid, block>>>(out, in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes; ++i)
        hash = (hash ^ reinterpret_cast<const unsigned char*>(values.data())[i]) * 0x100000001b3u;
    std::printf("%-28s %ux%ux%u %ux%ux%u %016llx\n", name, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                static_cast<unsigned long long>(hash));
}

struct Probe {
    template <class T>
    Probe(const char* name, void (*kernel)(T*, const T*, int), dim3 grid, dim3 block, int n) {
        probes().push_back([=] { launch(name, kernel, grid, block, n); });
    }
};

// KERNEL_AT(type, name, grid, block, n) { body over out, in and n }
#define KERNEL_AT(T, name, grid, block, n_)                           \
    __global__ void name(T* out, const T* in, int n);                 \
    static const Probe probe_of_##name(#name, name, grid, block, n_); \
    __global__ void name(T* out, const T* in, int n)

// In whole warps; and the same with an odd block and a second, larger n.
#define KERNEL(T, name) KERNEL_AT(T, name, 4, 128, 7)
#define KERNEL_ODD(T, name)                                          \
    __global__ void name(T* out, const T* in, int n);                \
    static const Probe probe_of_##name(#name, name, 4, 128, 7);      \
    static const Probe odd_probe_of_##name(#name, name, 3, 100, 12); \
    __global__ void name(T* out, const T* in, int n)

#define GID (blockIdx.x * blockDim.x + threadIdx.x)
