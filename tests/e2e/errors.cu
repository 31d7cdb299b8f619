// Errors as CUDA's runtime gives them: codes, names, strings, which ones stick, and what a reset does.
// RUN: lockstep run %s
// OUT: ^errors ok$
#include <cstring>

#include "support/check.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void uses_shared(int* out) {
    extern __shared__ int memory[];
    memory[threadIdx.x] = 1;
    out[0] = memory[0];
}
__global__ void write_null(int* p) { p[threadIdx.x] = 1; }
__global__ void fill(int* p) { p[threadIdx.x] = 5; }

// The launch is refused, the error is there once, and the next launch works. An impossible shape is an
// invalid configuration to CUDA 12's runtime and an invalid value to CUDA 13's.
static void expect_refused(dim3 grid, dim3 block, size_t shared) {
    nothing<<<grid, block, shared>>>();
    cudaError_t error = cudaPeekAtLastError();
    bool shape = shared == 0;
    EXPECT(error == cudaErrorInvalidValue || (shape && error == cudaErrorInvalidConfiguration));
    EXPECT(cudaGetLastError() == error);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
    EXPECT(std::strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    EXPECT(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
                       "an illegal memory access was encountered") == 0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") ==
           0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
    EXPECT(std::strcmp(cudaGetErrorName(static_cast<cudaError_t>(9876)), "unrecognized error code") == 0);

    expect_refused(0, 32, 0);
    expect_refused(1, 0, 0);
    expect_refused(1, 1025, 0);
    expect_refused(1, dim3(32, 33), 0);
    expect_refused(1, dim3(1, 1, 65), 0);
    expect_refused(dim3(1, 65536), 32, 0);
    expect_refused(dim3(1, 1, 65536), 32, 0);
    expect_refused(1, 32, 1 << 20);
    bounded<<<1, 256>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<1, 1024>>>();
    EXPECT(cudaGetLastError() == cudaSuccess);

    void* memory = nullptr;
    EXPECT(cudaMalloc(&memory, size_t{1} << 50) == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    int on_host = 0;
    EXPECT(cudaFree(&on_host) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(nullptr, &on_host, 4, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
    EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    int* device = device_zeros<int>(32);
    EXPECT(cudaFree(device + 1) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(device, &on_host, 4, static_cast<cudaMemcpyKind>(77)) ==
           cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    fill<<<1, 32>>>(device);
    EXPECT(to_host(device, 32)[31] == 5);

    // A reset frees everything; what comes after starts anew.
    EXPECT(cudaDeviceReset() == cudaSuccess);
    EXPECT(cudaGetLastError() == cudaSuccess);
    device = device_zeros<int>(32);
    fill<<<1, 32>>>(device);
    EXPECT(to_host(device, 32)[0] == 5);

    // A fault in a kernel sticks: every later call that touches the device reports it.
    write_null<<<1, 32>>>(nullptr);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&memory, 16) == cudaErrorIllegalAddress);
    EXPECT(cudaMemcpy(&on_host, device, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
    nothing<<<1, 1>>>();
    EXPECT(cudaPeekAtLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    if (failures()) return 1;
    std::printf("errors ok\n");
}
