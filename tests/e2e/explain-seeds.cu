// Questions that learners of the reduction ask of their counters, each with the answer that explain gives. (Blocks that
// are too small, and more of them that do not help: explain-blocks.cu. What volatile costs: explain-hip-more.hip.)
// RUN: lockstep explain -o %t/run.lockstep %s
// Why are active threads a warp so many, though every warp diverges?
// OUT: Note:  28\.1 of 32 lanes are active on average, and that says little of divergence: 80 %% of the$
// OUT: \[active-lanes\]$
// Are warps without work scheduled at all?
// OUT: \[idle-warps\]$
// Why do interleaved pairs execute the fewest instructions, and why is their throughput lower although they are faster?
// OUT: ^   neighbored_less to interleaved: 1\.[0-9]+ times as fast
// OUT: - instructions -[0-9]+ %% \(.* arithmetic -
// OUT: - bytes through the L1 -[67][0-9] %% .* more than the time
// OUT: falls although the kernel is faster
// RUN: lockstep explain --from %t/run.lockstep --kernels even
// Why is branch efficiency 100 %% for an `if` that parts every warp?
// OUT: Note:  Conditions here are no branches: the compiler made selects and predicates of them
// OUT: No lane waits for another, so branch efficiency \(no branch at all\)$
// OUT: explain-seeds\.cu:[0-9]+: c\[tid\] = a \+ b;
// RUN: lockstep explain --from %t/run.lockstep --kernels forgotten
// OUT: The kernel stores nothing: .* the compiler left it out
#include <cstdio>

__global__ void neighbored(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}
__global__ void neighbored_less(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index < blockDim.x) chunk[index] += chunk[index + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}
__global__ void interleaved(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}
__global__ void even(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if (tid % 2 == 0)
        a = 100;
    else
        b = 200;
    c[tid] = a + b;
}
__global__ void forgotten(const float* c) {
    float sum = 0;
    for (int i = 0; i < 100; ++i) sum += c[i] * threadIdx.x;
}

int main() {
    const unsigned n = 1 << 20, threads = 512;
    int *in, *out;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    neighbored<<<n / threads, threads>>>(in, out, n);
    neighbored_less<<<n / threads, threads>>>(in, out, n);
    interleaved<<<n / threads, threads>>>(in, out, n);
    even<<<n / threads, threads>>>(reinterpret_cast<float*>(out));
    forgotten<<<n / threads, threads>>>(reinterpret_cast<float*>(out));
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
