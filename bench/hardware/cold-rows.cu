// What a block waits for in a step that loads a piece of many rows, with empty caches and from the L2: by how
// many rows there are, how far apart, and how many loads wait for each other.
#include <algorithm>

#include "measure.h"

constexpr std::size_t array_bytes = 1ull << 30;
constexpr int steps = 16, repeats = 5;

__global__ void walk(const char* from, long pitch, int rows, int bytes, int waits, long long* cycles,
                     unsigned* sums) {
    __shared__ uint4 tile[256];
    const int lanes_a_row = blockDim.x / rows;
    long long all = 0, longest = 0;
    unsigned sum = 0;
    for (int k = 0; k < steps; ++k) {
        __syncthreads();
        const long long begin = clock64();
#pragma unroll 1
        for (int wait = 0; wait < waits; ++wait) {
            const long row = threadIdx.x / lanes_a_row + wait * rows;
            const char* at = from + row * pitch + k * bytes + threadIdx.x % lanes_a_row * 16 % bytes;
            tile[threadIdx.x] = __ldcg(reinterpret_cast<const uint4*>(at));
        }
        __syncthreads();
        const long long took = clock64() - begin;
        sum += tile[(threadIdx.x + 1) % blockDim.x].x;
        if (k) all += took, longest = took > longest ? took : longest;
    }
    if (threadIdx.x == 0) cycles[0] = all / (steps - 1), cycles[1] = longest;
    sums[threadIdx.x] = sum;
}

__global__ void fill(char* to, std::size_t bytes) {
    for (std::size_t i = (blockIdx.x * (std::size_t)blockDim.x + threadIdx.x) * 16; i < bytes;
         i += (std::size_t)gridDim.x * blockDim.x * 16)
        *reinterpret_cast<uint4*>(to + i) = make_uint4(1, 2, 3, 4);
}

int main() {
    char *rows_of = allocate<char>(array_bytes), *other = allocate<char>(array_bytes);
    auto* sums = allocate<unsigned>(256);
    long long* cycles;
    CHECK(cudaMallocManaged(&cycles, 2 * sizeof *cycles));
    fill<<<1024, 256>>>(rows_of, array_bytes);
    std::printf("threads,rows,pitch,bytes,waits,state,cycles,longest\n");
    for (int threads : {32, 128, 256})
        for (int rows : {1, 2, 8, 32, 64})
            for (long pitch : {1024l, 65536l})
                for (int bytes : {64, 128})
                    for (int waits : {1, 2})
                        for (bool cold : {false, true}) {
                            if (threads < rows) continue;
                            long long took[repeats], longest[repeats];
                            for (int i = 0; i < repeats; ++i) {
                                if (cold)
                                    fill<<<1024, 256>>>(other, array_bytes);
                                else
                                    walk<<<1, threads>>>(rows_of, pitch, rows, bytes, waits, cycles, sums);
                                walk<<<1, threads>>>(rows_of, pitch, rows, bytes, waits, cycles, sums);
                                CHECK(cudaDeviceSynchronize());
                                took[i] = cycles[0], longest[i] = cycles[1];
                            }
                            std::sort(took, took + repeats);
                            std::sort(longest, longest + repeats);
                            std::printf("%d,%d,%ld,%d,%d,%s,%lld,%lld\n", threads, rows, pitch, bytes, waits,
                                        cold ? "cold" : "warm", took[repeats / 2], longest[repeats / 2]);
                        }
}
