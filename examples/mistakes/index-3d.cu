// A thread's number in a block of three dimensions, with the block's number where its size should stand: several threads
// have the same.
//     lockstep check examples/mistakes/index-3d.cu
#include <cstdio>

__global__ void number(int* out) {
    const int i = threadIdx.z * blockIdx.y * blockIdx.x + threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = 100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x;
}

int main() {
    const int n = 4 * 4 * 4;
    int numbers[n], *out;
    cudaMalloc(&out, sizeof numbers);
    number<<<1, dim3(4, 4, 4)>>>(out);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    std::printf("the last is %d, should be 333\n", numbers[n - 1]);
    cudaFree(out);
}
