// --set changes a figure of the GPU that the program sees; with a model of the user's own too.
// RUN: lockstep run --set sms=8 %s
// OUT: ^multiprocessors 8, threads 2048, name NVIDIA H200$
// RUN: lockstep run --gpu gtx1650 --set sms=4 --set sm.max_threads=1024 %s
// OUT: ^multiprocessors 4, threads 1024, name NVIDIA GeForce GTX 1650$
// RUN: lockstep run %s
// ENV: LOCKSTEP_SET=sms=2;sm.max_threads=1024
// OUT: ^multiprocessors 2, threads 1024, name NVIDIA H200$
// RUN: cp %S/../../gpus/p2000.toml %t/mine.toml && cd %t && lockstep run --gpu mine.toml --set sms=3 %s
// OUT: ^multiprocessors 3, threads 2048, name Quadro P2000$
// RUN: lockstep profile --set sms=8 --json - %s
// OUT: "gpu_name": "NVIDIA H200 with sm\.count=8"
// RUN: lockstep nvprof --set sms=8 --metrics inst_executed %s
// OUT: ^multiprocessors 8
// ERR: ^Device "NVIDIA H200 with sm\.count=8 \(0\)"$
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing() {}

int main() {
    cudaDeviceProp p{};
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 1;
    nothing<<<1, 32>>>();
    std::printf("multiprocessors %d, threads %d, name %s\n", p.multiProcessorCount,
                p.maxThreadsPerMultiProcessor, p.name);
    return cudaDeviceSynchronize() != cudaSuccess;
}
