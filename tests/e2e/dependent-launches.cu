// A kernel that may begin before the one before it has ended (programmatic dependent launch), with CUDA's
// functions and in PTX: what it reads after its wait is there.
// RUN: lockstep run --gpu h200 %s
// OUT: ^second: 0 wrong, third 1$
// ALSO: nvcc
#include <cstdio>

__global__ void first(int* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    out[i] = 2 * in[i];
}
__global__ void third(int* out) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    out[0] += 1;
    asm volatile("griddepcontrol.launch_dependents;");
}

int main() {
    constexpr int blocks = 8, threads = 64;
    int *in, *out;
    cudaMallocManaged(&in, blocks * threads * sizeof(int));
    cudaMallocManaged(&out, blocks * threads * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    first<<<blocks, threads, 0, stream>>>(in);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, second, (const int*)in, out);
    config.gridDim = config.blockDim = 1;
    cudaLaunchKernelEx(&config, third, out);
    if (const cudaError_t error = cudaStreamSynchronize(stream))
        return std::puts(cudaGetErrorString(error)), 1;
    int wrong = 0;
    for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < threads; ++t) {
            const int i = b * threads + t;
            wrong += out[i] != 2 * (b * 1000 + t) + (i == 0);
        }
    std::printf("second: %d wrong, third %d\n", wrong, out[0]);
}
