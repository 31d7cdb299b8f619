// Lanes that want different words of constant memory are served one after the other. On an H200 the second
// kernel takes 14 times as long as the first.
// RUN: lockstep run %s
// OUT: ^different words take 1[0-9] times as long$
// RUN: lockstep profile --details %s
// OUT: bound by constant memory: its caches hand out words
// NOT: bound by the L1
#include <cstdio>

__constant__ float table[1024];

__global__ void same(float* out, int first) {
    float sum = 0;
    for (int i = 0; i < 256; ++i) sum += table[(i * 7 + first) & 1023];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void differ(float* out, int first) {
    float sum = 0;
    for (int i = 0; i < 256; ++i) sum += table[(i * 7 + first + threadIdx.x * 33) & 1023];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class Kernel>
float milliseconds(Kernel kernel, float* out) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    kernel<<<1024, 256>>>(out, 1);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float time = 0;
    cudaEventElapsedTime(&time, begin, end);
    return time;
}

int main() {
    float* out;
    cudaMalloc(&out, 1024 * 256 * sizeof *out);
    const float near = milliseconds(same, out), apart = milliseconds(differ, out);
    std::printf("different words take %.0f times as long\n", apart / near);
}
