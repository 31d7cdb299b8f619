// Threads that each walk a row of their own: what their reads, writes, and both one after the other take, by
// how many threads an SM has, how long the rows are, and how many words are read before the first is
// written. For ncu, which empties the caches or leaves them as they are.
#include <cuda_runtime.h>

#include <cstdio>

enum Way { read_once, read_twice, write_once, write_twice, write_read, copy, copy_apart, add };
constexpr const char* names[] = {"read",       "read twice", "write",      "write twice",
                                 "write read", "copy",       "copy apart", "add"};

// `in` and `out` may be the same for all that the compiler knows, so that reads stay behind writes.
template <Way way, int U>
__global__ void walk(const float* in, float* out, float* sums, int count, long pitch) {
    const long row = (blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    float sum = 0;
    if constexpr (way == write_once || way == write_twice || way == write_read)
        for (int turn = 0; turn <= (way == write_twice); ++turn)
#pragma unroll U
            for (int i = 0; i < count; ++i) out[row + i] = float(i + turn);
    if constexpr (way == write_read)
#pragma unroll U
        for (int i = 0; i < count; ++i) sum += out[row + i];
    else if constexpr (way == copy_apart) {
#pragma unroll 1
        for (int i = 0; i < count; i += U) {
            float word[U];
#pragma unroll
            for (int k = 0; k < U; ++k) word[k] = in[row + i + k];
#pragma unroll
            for (int k = 0; k < U; ++k) out[row + i + k] = word[k];
        }
    } else if constexpr (way != write_once && way != write_twice)
        for (int turn = 0; turn <= (way == read_twice); ++turn)
#pragma unroll U
            for (int i = 0; i < count; ++i) {
                if constexpr (way == copy)
                    out[row + i] = in[row + i];
                else if constexpr (way == add)
                    out[row + i] += 1;
                else
                    sum += in[row + i];
            }
    if constexpr (way == read_once || way == read_twice || way == write_read)
        sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <Way way, int U>
void launch(const float* in, float* out, float* sums, int blocks, int threads, long pitch) {
    constexpr int count = 256;
    std::printf("%s,%d,%d,%d,%ld\n", names[way], U, blocks, threads, pitch * 4);
    walk<way, U><<<blocks, threads>>>(in, out, sums, count, pitch);
}

template <int U>
void launch_all(const float* in, float* out, float* sums, int blocks, int threads, long pitch) {
    launch<read_once, U>(in, out, sums, blocks, threads, pitch);
    launch<read_twice, U>(in, out, sums, blocks, threads, pitch);
    launch<write_once, U>(in, out, sums, blocks, threads, pitch);
    launch<write_twice, U>(in, out, sums, blocks, threads, pitch);
    launch<write_read, U>(in, out, sums, blocks, threads, pitch);
    launch<copy, U>(in, out, sums, blocks, threads, pitch);
    launch<copy_apart, U>(in, out, sums, blocks, threads, pitch);
    launch<add, U>(in, out, sums, blocks, threads, pitch);
}

int main() {
    constexpr long bytes = 256l << 20;
    float *in, *out, *sums;
    if (cudaMalloc(&in, bytes) || cudaMalloc(&out, bytes) || cudaMalloc(&sums, 1 << 20)) return 1;
    cudaMemset(in, 0, bytes);
    cudaMemset(out, 0, bytes);
    constexpr int shapes[][2] = {{1, 32}, {1, 128}, {1, 512}, {16, 128}, {132, 32}, {132, 128}};
    std::printf("way,in_flight,blocks,threads,pitch_bytes\n");
    for (const auto& [blocks, threads] : shapes)
        for (long pitch : {260l, 768l}) {
            launch_all<1>(in, out, sums, blocks, threads, pitch);
            launch_all<4>(in, out, sums, blocks, threads, pitch);
        }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
}
