// Device code is compiled for the chosen GPU, or for what the program's maker chose; of several the right one is loaded.
// RUN: lockstep run %s
// OUT: ^900 on 9\.0, double: device$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^750 on 7\.5, double: device$
// RUN: lockstep run --gpu k20x %s
// OUT: ^350 on 3\.5, double: own$
// RUN: lockstep run --gpu fermi %s
// OUT: ^200 on 2\.0, double: own$
// RUN: lockstep run -gencode arch=compute_35,code=sm_35 -gencode arch=compute_80,code=sm_80 --gpu gtx1650 %s
// OUT: ^350 on 7\.5, double: own$
// RUN: lockstep run -arch=sm_80 --gpu gtx1650 %s
// EXIT: 1
// OUT: ^cudaErrorNoKernelImageForDevice$
// ERR: ^lockstep: cudaLaunchKernel: the program's device code is for newer GPUs \(sm_80\) than NVIDIA GeForce GTX 1650 \(gtx1650\), whose compute capability is 7\.5: compile it with -arch=sm_75, or choose another GPU with --gpu or LOCKSTEP_GPU
// RUN: lockstep nvcc -o %t/a.out %s && %t/a.out
// ENV: LOCKSTEP_GPU=gtx1650
// OUT: ^750 on 7\.5, double: device$
// RUN: lockstep nvcc -gencode arch=compute_35,code=sm_35 -gencode arch=compute_80,code=sm_80 -o %t/a.out %s && LOCKSTEP_GPU=k20x %t/a.out && %t/a.out
// OUT: ^350 on 3\.5, double: own$
// OUT: ^800 on 9\.0, double: device$
// RUN: lockstep sweep %s --gpu h200,k20x -- exactly
// OUT: \bh200\b
// OUT: \bk20x\b
// RUN: lockstep run --gpu k20x -DWITHOUT_OWN %s
// EXIT: 1
// ERR: error: no matching function for call to 'atomicAdd'
// ERR: does not compile$
#include <cuda_runtime.h>

#include <cstdio>

__device__ int own;

// What the CUDA programming guide gives for GPUs before 6.0.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600 && !defined(WITHOUT_OWN)
__device__ double atomicAdd(double* address, double value) {
    unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    own = 1;
    return __longlong_as_double(old);
}
#endif

__global__ void tell(int* arch, double* sum) {
#ifdef __CUDA_ARCH__
    *arch = __CUDA_ARCH__;
#endif
    atomicAdd(sum, 1.0);
}

int main(int argc, char**) {
    int *arch = nullptr, number = 0, mine = 0;
    double* sum = nullptr;
    cudaMalloc(&arch, sizeof(int));
    cudaMalloc(&sum, sizeof(double));
    cudaMemset(sum, 0, sizeof(double));
    tell<<<1, 32>>>(arch, sum);
    if (const cudaError_t error = cudaGetLastError()) {
        std::printf("%s\n", cudaGetErrorName(error));
        return 1;
    }
    double total = 0;
    cudaMemcpy(&number, arch, sizeof number, cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&mine, own, sizeof mine);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::printf("%d on %d.%d, double: %s\n", number, properties.major, properties.minor, mine ? "own" : "device");
    if (argc > 1 && number != properties.major * 100 + properties.minor * 10) return 3;
    return total == 32 ? 0 : 2;
}
