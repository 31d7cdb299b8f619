// What the feature programs share. A program counts its failures and says "NAME ok" as its last line only
// where there were none.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline int& failures() {
    static int count = 0;
    return count;
}

#define CUDA(call)                                                                                      \
    do {                                                                                                \
        cudaError_t cuda_status = (call);                                                               \
        if (cuda_status != cudaSuccess) {                                                               \
            std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(cuda_status)); \
            std::exit(1);                                                                               \
        }                                                                                               \
    } while (0)

#define EXPECT(condition)                                                        \
    do {                                                                         \
        if (!(condition) && ++failures() <= 20)                                  \
            std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
    } while (0)

// With the index and both values, for arrays.
#define EXPECT_AT(index, got, expected)                                                \
    do {                                                                               \
        auto got_value = (got);                                                        \
        decltype(got_value) expected_value = (expected);                               \
        if (!(got_value == expected_value) && ++failures() <= 20)                      \
            std::printf("%s:%d: [%ld] is %.17g, expected %.17g\n", __FILE__, __LINE__, \
                        static_cast<long>(index), static_cast<double>(got_value),      \
                        static_cast<double>(expected_value));                          \
    } while (0)

template <class T>
T* to_device(const std::vector<T>& host) {
    T* device = nullptr;
    CUDA(cudaMalloc(&device, host.size() * sizeof(T)));
    CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <class T>
T* device_zeros(size_t count) {
    T* device = nullptr;
    CUDA(cudaMalloc(&device, count * sizeof(T)));
    CUDA(cudaMemset(device, 0, count * sizeof(T)));
    return device;
}

template <class T>
std::vector<T> to_host(const T* device, size_t count) {
    std::vector<T> host(count);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

inline int finish(const char* name) {
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    if (failures()) {
        std::printf("%s: %d WRONG\n", name, failures());
        return 1;
    }
    std::printf("%s ok\n", name);
    return 0;
}
