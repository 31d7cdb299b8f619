// Variables on the device: initial values, copies by symbol with offsets, addresses and sizes, constants,
// statics, structs.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^symbols ok$
#include "support/check.h"

struct Settings {
    int count;
    double scale;
    char name[8];
};

__device__ int counter = 41;
__device__ float table[6] = {0.5f, 1.5f, 2.5f};
__device__ Settings settings = {3, 0.25, "abc"};
__constant__ Settings fixed = {7, 1.25, "xyz"};
__constant__ int powers[5] = {1, 2, 4, 8, 16};
__device__ int* pointer_to_counter = &counter;
__device__ const char* const words[3] = {"one", "three", "eleven"};
static __device__ unsigned long long hidden = 0x123456789ABCDEFull;

namespace inner {
__device__ int counter = 1000;
}

template <class T>
__device__ T by_type = T(9);

__device__ int calls() {
    static int count = 0;
    return atomicAdd(&count, 1);
}

__global__ void read_all(double* out) {
    out[0] = ++counter;
    out[1] = table[1] + table[5];
    out[2] = settings.count * settings.scale + settings.name[2];
    out[3] = fixed.count * fixed.scale + fixed.name[0];
    out[4] = powers[threadIdx.x + 4];
    out[5] = *pointer_to_counter;
    out[6] = words[2][0] + words[1][4];
    out[7] = static_cast<double>(hidden >> 32);
    out[8] = inner::counter;
    out[9] = by_type<int> + by_type<float>;
    out[10] = calls() + calls();
    by_type<int> += 1;
}

int main() {
    double* out = device_zeros<double>(11);
    read_all<<<1, 1>>>(out);
    auto h = to_host(out, 11);
    const double expected[11] = {42, 1.5, 0.75 + 'c', 8.75 + 'x', 16, 42, 'e' + 'e', 0x1234567, 1000, 18, 1};
    for (int i = 0; i < 11; ++i) EXPECT_AT(i, h[i], expected[i]);

    int value = 100;
    CUDA(cudaMemcpyToSymbol(counter, &value, sizeof value));
    float more[2] = {7.5f, 8.5f};
    CUDA(cudaMemcpyToSymbol(table, more, sizeof more, 4 * sizeof(float)));
    int sixteen = 160;
    CUDA(cudaMemcpyToSymbol(powers, &sixteen, sizeof(int), 4 * sizeof(int)));
    Settings changed = {10, 2.0, "klm"};
    CUDA(cudaMemcpyToSymbol(fixed, &changed, sizeof changed));
    read_all<<<1, 1>>>(out);
    h = to_host(out, 11);
    const double again[11] = {101, 10, 0.75 + 'c', 20.0 + 'k', 160, 101, 'e' + 'e', 0x1234567, 1000, 19, 5};
    for (int i = 0; i < 11; ++i) EXPECT_AT(i, h[i], again[i]);

    CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    EXPECT(value == 101);
    float read[3];
    CUDA(cudaMemcpyFromSymbol(read, table, sizeof read, 3 * sizeof(float)));
    EXPECT(read[0] == 0 && read[1] == 7.5f && read[2] == 8.5f);

    void* address = nullptr;
    size_t size = 0;
    CUDA(cudaGetSymbolAddress(&address, table));
    CUDA(cudaGetSymbolSize(&size, table));
    EXPECT(address != nullptr && size == sizeof(float) * 6);
    CUDA(cudaMemset(address, 0, size));
    CUDA(cudaMemcpyFromSymbolAsync(read, table, sizeof read, 0, cudaMemcpyDeviceToHost, 0));
    CUDA(cudaDeviceSynchronize());
    EXPECT(read[0] == 0 && read[1] == 0 && read[2] == 0);
    CUDA(cudaGetSymbolSize(&size, fixed));
    EXPECT(size == sizeof(Settings));
    return finish("symbols");
}
