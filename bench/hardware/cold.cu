// What the first accesses of a launch wait for: kernels whose threads touch memory once, for ncu, which empties
// the caches before each launch unless it is told not to.
#include "measure.h"

constexpr unsigned long long array_bytes = 1ull << 31;

#define ONE_ACCESS(name, statement)                                                            \
    __global__ void name(const char* in, char* out) {                                          \
        const unsigned long long at = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; \
        statement;                                                                             \
    }
#define VALUE(from) *reinterpret_cast<const float*>(from)
#define RESULT *reinterpret_cast<float*>(out + at * 4)

ONE_ACCESS(nothing, if (in == out) RESULT = 0)
ONE_ACCESS(store_4, RESULT = 1)
ONE_ACCESS(load_4, if (VALUE(in + at * 4) == 7) RESULT = 1)
ONE_ACCESS(load_32, if (VALUE(in + at * 32) == 7) RESULT = 1)
ONE_ACCESS(load_128, if (VALUE(in + at * 128) == 7) RESULT = 1)
ONE_ACCESS(load_4096, if (VALUE(in + at % (array_bytes / 4096) * 4096) == 7) RESULT = 1)
ONE_ACCESS(load_same, if (VALUE(in + at % 32 * 4) == 7) RESULT = 1)
ONE_ACCESS(load_4_store_4, RESULT = VALUE(in + at * 4))
// The second address depends on what the first load brings.
ONE_ACCESS(load_4_twice, if (VALUE(in + (256 << 20) + at * 4 + (unsigned)VALUE(in + at * 4)) == 7) RESULT = 1)

int main() {
    char *in = allocate<char>(array_bytes), *out = allocate<char>(array_bytes);
    for (int blocks : {1, 4, 16, 66, 132, 264, 528, 1056, 2112})
        for (int threads : {64, 256})
            for (int repeat = 0; repeat < 3; ++repeat)
                for (auto kernel : {nothing, store_4, load_4, load_32, load_128, load_4096, load_same,
                                    load_4_store_4, load_4_twice})
                    kernel<<<blocks, threads>>>(in, out);
    CHECK(cudaDeviceSynchronize());
}
