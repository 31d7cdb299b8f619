// What every example shares: error checks, a clock, arguments, and the verdict that becomes the exit status.
#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                                                     \
    do {                                                                                                \
        cudaError_t check_status = (call);                                                              \
        if (check_status != cudaSuccess) {                                                              \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(check_status), \
                         cudaGetErrorString(check_status));                                             \
            std::exit(1);                                                                               \
        }                                                                                               \
    } while (0)

namespace lab {

// Milliseconds of wall time that `launch` takes until the device is idle again.
template <class Launch>
double time_ms(Launch launch) {
    CHECK(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// The index-th argument, a number from low to high; `fallback` where it was not given.
inline long argument(int argc, char** argv, int index, long fallback, long low, long high, const char* name) {
    if (index >= argc) return fallback;
    char* end = nullptr;
    long value = std::strtol(argv[index], &end, 0);
    if (end == argv[index] || *end != '\0' || value < low || value > high) {
        std::fprintf(stderr, "%s: %s must be a number from %ld to %ld, not '%s'\n", argv[0], name, low, high,
                     argv[index]);
        std::exit(2);
    }
    return value;
}

inline bool is_power_of_two(long x) { return x > 0 && (x & (x - 1)) == 0; }

// The same well-mixed value for an index everywhere, so that no run depends on a random generator.
__host__ __device__ inline unsigned mixed(unsigned i) {
    i ^= i >> 16;
    i *= 0x7feb352du;
    i ^= i >> 15;
    i *= 0x846ca68bu;
    return i ^ (i >> 16);
}

// The last line and the exit status.
inline int verdict(const char* name, bool right) {
    std::printf("%s %s\n", name, right ? "ok" : "WRONG");
    return right ? 0 : 1;
}

inline std::string device_name() {
    cudaDeviceProp properties{};
    CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
}

}  // namespace lab
