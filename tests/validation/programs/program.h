// What the measured programs share. Each was measured on an H200 at the size that it has without an argument;
// an argument divides the number of blocks, and with it every count, and leaves the blocks as they were.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t status = (call);                                                    \
        if (status != cudaSuccess) {                                                    \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                               \
        }                                                                               \
    } while (0)

inline int divisor(int argc, char** argv) { return argc > 1 ? std::atoi(argv[1]) : 1; }

template <class T>
T* to_device(const std::vector<T>& host) {
    T* device = nullptr;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

// After a launch: its first `count` results.
template <class T>
std::vector<T> to_host(const T* device, std::size_t count) {
    std::vector<T> host(count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// The program's exit status: whether all results were right.
inline int wrong_results = 0;
inline void verdict(const char* name, bool right) {
    std::printf("%-22s %s\n", name, right ? "ok" : "WRONG");
    wrong_results += !right;
}
