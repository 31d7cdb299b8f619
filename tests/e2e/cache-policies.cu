// Eviction policies of the L2: the numbers that stand for them, as an H200 made them, and accesses that take
// one.
// RUN: lockstep run --gpu h200 %s
// OUT: ^policies: 0 differ$
// OUT: ^sums: 0 differ$
// ALSO: nvcc
#include <cstdint>
#include <cstdio>

#define FRACTIONAL(priority)                                                              \
    asm volatile("createpolicy.fractional." priority ".b64 %0;" : "=l"(made[n++]));       \
    asm volatile("createpolicy.fractional." priority ".b64 %0, 0.5;" : "=l"(made[n++]));  \
    asm volatile("createpolicy.fractional." priority ".b64 %0, 0.03;" : "=l"(made[n++])); \
    asm volatile("createpolicy.fractional." priority ".b64 %0, 0.9;" : "=l"(made[n++]));  \
    asm volatile("createpolicy.fractional." priority ".b64 %0, %1;" : "=l"(made[n++]) : "f"(share));
#define RANGE(priority, address, first, all)                                    \
    asm volatile("createpolicy.range.global." priority ".b64 %0, [%1], %2, %3;" \
                 : "=l"(made[n++])                                              \
                 : "l"(address), "r"(first), "r"(all));

// The address is one that the H200 gave; nothing is read there.
__global__ void policies(std::uint64_t* out, float share, unsigned size) {
    constexpr std::uint64_t p = 0x7f1afc000000;
    std::uint64_t made[32];
    int n = 0;
    FRACTIONAL("L2::evict_last")
    FRACTIONAL("L2::evict_normal.L2::evict_first")
    FRACTIONAL("L2::evict_first.L2::evict_unchanged")
    FRACTIONAL("L2::evict_unchanged")
    RANGE("L2::evict_last", p, size, 2 * size)
    RANGE("L2::evict_last", p + 4096, size, size)
    RANGE("L2::evict_last.L2::evict_first", p, size << 8, size << 10)
    RANGE("L2::evict_normal", p, 100, 1000)
    RANGE("L2::evict_first.L2::evict_unchanged", p + (1 << 20), size << 4, size << 6)
    RANGE("L2::evict_unchanged", p, size << 12, size << 18)
    asm volatile("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(made[n++]) : "l"(made[0]));
    for (int i = 0; i < n; ++i) out[i] = made[i];
}

static const std::uint64_t recorded[] = {
    0x14f0000000000000, 0x1470000000000000, 0x1400000000000000, 0x14e0000000000000, 0x1430000000000000,
    0x17f0000000000000, 0x1770000000000000, 0x1700000000000000, 0x17e0000000000000, 0x1730000000000000,
    0x12f0000000000000, 0x1270000000000000, 0x1200000000000000, 0x12e0000000000000, 0x1230000000000000,
    0x10f0000000000000, 0x1070000000000000, 0x1000000000000000, 0x10e0000000000000, 0x1030000000000000,
    0x1c00002000000000, 0x1c00102000000000, 0x1d30040000000000, 0x1e00002000000000, 0x1a00020000000000,
    0x18b7804000000000, 0x14f0000000000000};

__global__ void sum(const int* in, int* out, int* scratch) {
    __shared__ alignas(16) int copied[128];
    std::uint64_t keep, stream;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(keep));
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(stream));
    const unsigned to = (unsigned)__cvta_generic_to_shared(copied + 4 * threadIdx.x);
    asm volatile(
        "cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;\n cp.async.wait_all;" ::"r"(to),
        "l"(in + 4 * threadIdx.x), "l"(keep)
        : "memory");
    int loaded;
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;"
                 : "=r"(loaded)
                 : "l"(in + threadIdx.x), "l"(stream));
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(in) : "memory");
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(scratch) : "memory");
    __syncthreads();
    int all = loaded;
    for (int i = 0; i < 4; ++i) all += copied[4 * threadIdx.x + i];
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(out + threadIdx.x), "r"(all), "l"(keep)
                 : "memory");
}

int main() {
    std::uint64_t* made;
    int *in, *out, *scratch;
    cudaMallocManaged(&made, sizeof recorded);
    cudaMallocManaged(&in, 512);
    cudaMallocManaged(&out, 128);
    cudaMalloc(&scratch, 128);
    for (int i = 0; i < 128; ++i) in[i] = i * i;
    policies<<<1, 1>>>(made, 0.25f, 4096);
    sum<<<1, 32>>>(in, out, scratch);
    if (const cudaError_t error = cudaDeviceSynchronize()) return std::puts(cudaGetErrorString(error)), 1;
    int differ = 0, wrong = 0;
    for (std::size_t i = 0; i < sizeof recorded / sizeof *recorded; ++i)
        if (made[i] != recorded[i]) {
            std::printf("%zu: %016llx\n", i, (unsigned long long)made[i]);
            ++differ;
        }
    for (int i = 0; i < 32; ++i) {
        int expected = in[i];
        for (int k = 0; k < 4; ++k) expected += in[4 * i + k];
        wrong += out[i] != expected;
    }
    std::printf("policies: %d differ\nsums: %d differ\n", differ, wrong);
}
