// A sum whose threads behind the end of the data return before the barrier that the others wait at.
//     lockstep check examples/mistakes/return-before-barrier.cu
#include <cstdio>

__global__ void sum(int* data, int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* const mine = data + blockIdx.x * blockDim.x;
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (threadIdx.x % (2 * step) == 0 && i + step < n) mine[threadIdx.x] += mine[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = mine[0];
}

int main() {
    const int n = 1000, blocks = 4;
    int numbers[n], sums[blocks], *data, *out;
    for (int i = 0; i < n; ++i) numbers[i] = i;
    cudaMalloc(&data, sizeof numbers);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<blocks, 256>>>(data, out, n);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    std::printf("%d, should be 499500\n", sums[0] + sums[1] + sums[2] + sums[3]);
    cudaFree(data);
    cudaFree(out);
}
