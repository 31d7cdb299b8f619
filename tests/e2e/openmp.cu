// OpenMP in host code, as nvcc's users ask for it.
// RUN: lockstep run -Xcompiler -fopenmp %s
// OUT: ^4950 from 2 threads, 31$
#include <omp.h>

#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int sum = 0, threads = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 100; ++i) {
        sum += i;
        if (i == 0) threads = omp_get_num_threads();
    }
    int *device, host[32];
    cudaMalloc(&device, sizeof host);
    fill<<<1, 32>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d from %d threads, %d\n", sum, threads, host[31]);
}
