// Threads that each add up a column, or a line, of a matrix, from device memory: by how many loads a thread
// has under way, how many threads there are, and how far apart what they load lies. For ncu, which empties
// the caches.
#include <cuda_runtime.h>

#include <cstdio>

template <int U>
__global__ void columns(const float* in, float* out, int rows, long pitch) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll U
    for (int r = 0; r < rows; ++r) sum += in[r * pitch + i];
    out[i] = sum;
}

template <int U>
__global__ void lines(const float* in, float* out, int columns, long pitch) {
    const long i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll U
    for (int c = 0; c < columns; ++c) sum += in[i * pitch + c];
    out[i] = sum;
}

template <int U>
void launch(bool by_line, const float* in, float* out, int blocks, int threads, long pitch) {
    constexpr int count = 64;
    std::printf("%s,%d,%d,%d,%ld\n", by_line ? "lines" : "columns", U, blocks, threads, pitch * 4);
    if (by_line)
        lines<U><<<blocks, threads>>>(in, out, count, pitch);
    else
        columns<U><<<blocks, threads>>>(in, out, count, pitch);
}

int main() {
    constexpr long bytes = 512l << 20, rows = 64;
    float *in, *out;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, 4 << 20);
    cudaMemset(in, 0, bytes);
    constexpr int shapes[][2] = {{1, 32},   {1, 128},   {1, 512},   {8, 128},  {32, 128},
                                 {32, 256}, {128, 128}, {132, 256}, {528, 256}};
    std::printf("way,in_flight,blocks,threads,pitch_bytes\n");
    for (const auto& [blocks, threads] : shapes) {
        const long n = long(blocks) * threads;
        for (long pitch : {n, 1024l, 16384l, 131072l, 1048576l}) {
            const bool twice = pitch == n && (n == 1024 || n == 16384 || n == 131072);
            if (pitch < n || twice || pitch * rows * 4 > bytes) continue;
            launch<1>(false, in, out, blocks, threads, pitch);
            launch<4>(false, in, out, blocks, threads, pitch);
            launch<8>(false, in, out, blocks, threads, pitch);
        }
    }
    for (const auto& [blocks, threads] : shapes)
        for (long pitch : {64l, 256l, 1024l, 8192l}) {
            if (long(blocks) * threads * pitch * 4 > bytes) continue;
            launch<1>(true, in, out, blocks, threads, pitch);
            launch<4>(true, in, out, blocks, threads, pitch);
        }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
}
