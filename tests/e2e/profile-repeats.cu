// Launches that repeat an earlier one are not watched, and have the same figures as if they were; those that
// only look like it are. One that faults is told as every other.
//
// RUN: lockstep profile --launches --metrics all --json %t/repeats.json -o %t/repeats.run %s && LOCKSTEP_REPEATS=0 lockstep profile --launches --metrics all --json %t/watched.json -o %t/watched.run %s && cmp %t/repeats.json %t/watched.json && echo equal
// OUT: ^equal$
// NOT: wrong
//
// RUN: lockstep profile --launches --metrics inst_executed -o %t/freed.run %s -- freed
// EXIT: nonzero
// OUT: scale
// ERR: illegal|freed
#include <cstdio>

constexpr int n = 1 << 22, block = 256;

__global__ void scale(float* data, float by) { data[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

// As many turns as the data say.
__global__ void count_down(const int* turns, int* left) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int here = turns[i];
    while (here > 3) here -= 3;
    left[i] = here;
}

int main(int argc, char**) {
    float* data;
    int *turns, *left;
    cudaMalloc(&data, n * sizeof(float));
    cudaMalloc(&turns, n * sizeof(int));
    cudaMalloc(&left, n * sizeof(int));
    cudaMemset(data, 0, n * sizeof(float));
    for (int i = 0; i < 6; ++i) {
        if (argc > 1 && i == 5) cudaFree(data);
        scale<<<n / block, block>>>(data, 2);
        cudaMemset(turns, 0, n * sizeof(int));
        cudaMemset(turns, i, 1);
        count_down<<<n / block, block>>>(turns, left);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
        int first = 0;
        cudaMemcpy(&first, left, sizeof first, cudaMemcpyDeviceToHost);
        if (first != (i > 3 ? i - 3 : i)) std::printf("wrong\n");
    }
}
