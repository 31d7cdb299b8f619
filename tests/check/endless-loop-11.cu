// bug: endless-loop
// line: 14
// kernel: relay
// note: each thread waits for the next one to have begun its turn: nobody begins
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void relay(volatile int* turn, int n) {
    int t = threadIdx.x;
    while (turn[(t + 1) % n] == 0) {
    }
    turn[t] = 1;
}

int main() {
    int* turn;
    CHECK(cudaMalloc(&turn, 256));
    CHECK(cudaMemset(turn, 0, 256));
    relay<<<1, 64>>>(turn, 64);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    cudaFree(turn);
    return 0;
}
