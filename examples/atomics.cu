// What do atomics make possible, and what do they not repair? Histograms, counters, a CAS loop, float sums
// and a lock.
//
//     atomics [N] [BLOCK]
#include <algorithm>
#include <cstring>
#include <vector>

#include "lab.h"

constexpr int bins = 256;

__global__ void histogram_global(const unsigned char* data, unsigned* counts, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[data[i]], 1u);
}

// Each block counts in its own shared memory first, so that blocks meet 256 times instead of n times.
__global__ void histogram_shared(const unsigned char* data, unsigned* counts, unsigned n) {
    __shared__ unsigned local[bins];
    for (unsigned i = threadIdx.x; i < bins; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&counts[i], local[i]);
}

// Each thread draws a ticket; every ticket must be drawn exactly once.
__global__ void draw_tickets(unsigned* next, unsigned* drawn, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&drawn[atomicAdd(next, 1u)], 1u);
}

// There is no atomicMax for float: a loop of compare-and-swap makes one.
__device__ void atomic_max_float(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits;
    while (__int_as_float(old) < value) {
        int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old) return;
        old = seen;
    }
}

__global__ void largest(const float* data, float* result, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomic_max_float(result, data[i]);
}

__global__ void float_sum(const float* data, float* result, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(result, data[i]);
}

// One thread a block takes the lock and changes two plain variables that must stay in step.
__global__ void with_lock(int* lock, unsigned* shared_pair) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile unsigned* pair = shared_pair;
    unsigned seen = pair[0];
    pair[0] = seen + 1;
    pair[1] = pair[1] + seen;
    __threadfence();
    atomicExch(lock, 0);
}

template <class T>
static T* on_device(const std::vector<T>& host) {
    T* device = nullptr;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <class T>
static std::vector<T> on_host(const T* device, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

int main(int argc, char** argv) {
    unsigned n = static_cast<unsigned>(lab::argument(argc, argv, 1, 1L << 18, 1, 1L << 24, "N"));
    unsigned block = static_cast<unsigned>(lab::argument(argc, argv, 2, 256, 1, 1024, "BLOCK"));
    unsigned grid = std::min(64u, (n + block - 1) / block), enough = (n + block - 1) / block;

    std::vector<unsigned char> bytes(n);
    std::vector<float> values(n);
    std::vector<unsigned> expected_counts(bins, 0);
    float expected_max = -1e30f;
    double expected_sum = 0;
    for (unsigned i = 0; i < n; ++i) {
        bytes[i] = static_cast<unsigned char>(lab::mixed(i));
        values[i] = i % 3 == 0 ? 1.0f : 0.0f;  // few enough ones that float adds them exactly
        ++expected_counts[bytes[i]];
        expected_max = std::max(expected_max, values[i] * static_cast<float>(lab::mixed(i) & 0xFFFF));
        expected_sum += values[i];
    }
    std::vector<float> spread(n);
    for (unsigned i = 0; i < n; ++i) spread[i] = values[i] * static_cast<float>(lab::mixed(i) & 0xFFFF);

    unsigned char* device_bytes = on_device(bytes);
    float *device_values = on_device(values), *device_spread = on_device(spread);
    std::printf("%s: %u values, block %u\n\n", lab::device_name().c_str(), n, block);
    std::printf("%-20s %10s  %s\n", "what", "ms", "result");
    bool all_right = true;
    auto row = [&](const char* name, double ms, bool right) {
        all_right = all_right && right;
        std::printf("%-20s %10.3f  %s\n", name, ms, right ? "right" : "WRONG");
    };

    {
        unsigned* counts = on_device(std::vector<unsigned>(bins, 0));
        double ms = lab::time_ms([&] { histogram_global<<<grid, block>>>(device_bytes, counts, n); });
        row("histogram, global", ms, on_host(counts, bins) == expected_counts);
        CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
        ms = lab::time_ms([&] { histogram_shared<<<grid, block>>>(device_bytes, counts, n); });
        row("histogram, shared", ms, on_host(counts, bins) == expected_counts);
        CHECK(cudaFree(counts));
    }
    {
        unsigned *next = on_device(std::vector<unsigned>(1, 0)),
                 *drawn = on_device(std::vector<unsigned>(n, 0));
        double ms = lab::time_ms([&] { draw_tickets<<<enough, block>>>(next, drawn, n); });
        row("tickets", ms, on_host(drawn, n) == std::vector<unsigned>(n, 1) && on_host(next, 1)[0] == n);
        CHECK(cudaFree(next));
        CHECK(cudaFree(drawn));
    }
    {
        float* result = on_device(std::vector<float>(1, -1e30f));
        double ms = lab::time_ms([&] { largest<<<grid, block>>>(device_spread, result, n); });
        row("float max by CAS", ms, on_host(result, 1)[0] == expected_max);
        CHECK(cudaMemset(result, 0, sizeof(float)));
        ms = lab::time_ms([&] { float_sum<<<grid, block>>>(device_values, result, n); });
        row("float atomicAdd", ms, on_host(result, 1)[0] == expected_sum);
        CHECK(cudaFree(result));
    }
    {
        int* lock = on_device(std::vector<int>(1, 0));
        unsigned* pair = on_device(std::vector<unsigned>(2, 0));
        const unsigned holders = 200;
        double ms = lab::time_ms([&] { with_lock<<<holders, block>>>(lock, pair); });
        std::vector<unsigned> got = on_host(pair, 2);
        row("lock", ms, got[0] == holders && got[1] == holders * (holders - 1) / 2);
        CHECK(cudaFree(lock));
        CHECK(cudaFree(pair));
    }
    CHECK(cudaFree(device_bytes));
    CHECK(cudaFree(device_values));
    CHECK(cudaFree(device_spread));
    return lab::verdict("atomics", all_right);
}
