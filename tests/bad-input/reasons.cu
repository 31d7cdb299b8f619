// API calls that fail say why: the first of each kind by themselves, all of them if asked, none if not
// wanted.
// RUN: lockstep run %s -- direction
// OUT: ^cudaErrorInvalidValue cudaErrorInvalidValue$
// ERR: ^lockstep: cudaMemcpy: the destination at 0x[0-9a-f]+ should be host memory by the copy's direction, but is .*128-byte allocation.*; the direction given is cudaMemcpyDeviceToHost, by the addresses it would be cudaMemcpyHostToDevice \(cudaErrorInvalidValue\)$
// ERR: by the addresses it would be cudaMemcpyDeviceToHost
// RUN: lockstep run %s -- direction
// ENV: LOCKSTEP_VERBOSE=0
// OUT: ^cudaErrorInvalidValue cudaErrorInvalidValue$
// NOT: lockstep:
// RUN: lockstep run %s -- free
// ERR: ^lockstep: cudaFree: 0x[0-9a-f]+ cannot be freed: it is .*128-byte allocation.*freed
// RUN: lockstep run %s -- inside
// ERR: ^lockstep: cudaFree: 0x[0-9a-f]+ cannot be freed: it is .*inside the 128-byte allocation
// RUN: lockstep run %s -- host
// ERR: ^lockstep: cudaFree: 0x[0-9a-f]+ cannot be freed: it is .*host
// RUN: lockstep run %s -- large
// ERR: ^lockstep: cudaMemcpy: the destination of 1000 bytes at 0x[0-9a-f]+ goes beyond its allocation: .*128-byte allocation
// ERR: ^lockstep: cudaMemset: the destination of 1000 bytes at 0x[0-9a-f]+ goes beyond its allocation: .*128-byte allocation
// RUN: lockstep run %s -- null
// ERR: ^lockstep: cudaMemcpy: .*null pointer
// ERR: ^lockstep: cudaMalloc: the argument pointer is a null pointer \(cudaErrorInvalidValue\)$
// ERR: ^lockstep: cudaSetDevice: there is one device, number 0; device 7 was asked for \(cudaErrorInvalidDevice\)$
// RUN: lockstep run %s -- wild
// OUT: ^cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidValue$
// ERR: ^lockstep: cudaHostRegister: 4096 bytes at 0x[0-9a-f]+ are not all memory of this process
// ERR: ^lockstep: cudaLaunchKernel: kernel 'fault\(int\*\)': the pointer to argument 1 of 1 is null
// RUN: lockstep run %s -- memory
// OUT: ^3 failed$
// ERR: ^lockstep: cudaMalloc: .*\(cudaErrorMemoryAllocation\)$
// ERR: ^lockstep: cudaMalloc: cudaErrorMemoryAllocation again, for such a reason; LOCKSTEP_VERBOSE=1 tells all$
// RUN: lockstep run %s -- memory
// ENV: LOCKSTEP_VERBOSE=1
// ERR: ^lockstep: cudaMalloc: .*\(cudaErrorMemoryAllocation\)$
// ERR: ^lockstep: cudaMalloc: .*\(cudaErrorMemoryAllocation\)$
// ERR: ^lockstep: cudaMalloc: .*\(cudaErrorMemoryAllocation\)$
// NOT: again
// RUN: lockstep run %s -- normal
// OUT: ^normal: cudaErrorNotReady$
// NOT: lockstep:
// RUN: lockstep run %s -- fault
// OUT: ^cudaErrorIllegalAddress cudaErrorIllegalAddress$
// ERR: ^lockstep: kernel fault.*out of bounds
// NOT: lockstep: cuda
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <string>

__global__ void fault(int* out) { out[1 << 20] = 1; }

int main(int, char** arguments) {
    const std::string how = arguments[1];
    static char host[1000];
    int* device = nullptr;
    cudaMalloc(&device, 128);
    if (how == "direction") {
        const cudaError_t first = cudaMemcpy(device, host, 128, cudaMemcpyDeviceToHost);
        const cudaError_t second = cudaMemcpy(host, device, 128, cudaMemcpyHostToDevice);
        std::printf("%s %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
    }
    if (how == "free") {
        cudaFree(device);
        cudaFree(device);
    }
    if (how == "inside") cudaFree(device + 1);
    if (how == "host") cudaFree(host);
    if (how == "large") {
        cudaMemcpy(device, host, 1000, cudaMemcpyHostToDevice);
        cudaMemset(device, 0, 1000);
    }
    if (how == "null") {
        cudaMemcpy(nullptr, host, 10, cudaMemcpyHostToDevice);
        cudaMalloc(static_cast<void**>(nullptr), 10);
        cudaSetDevice(7);
    }
    if (how == "wild") {
        const cudaError_t nowhere = cudaHostRegister(reinterpret_cast<void*>(0xdeadb000), 4096, 0);
        const cudaError_t around = cudaHostRegister(host, ~std::size_t{0}, 0);
        void* arguments[] = {nullptr};
        const cudaError_t null =
            cudaLaunchKernel(reinterpret_cast<const void*>(fault), 1, 1, arguments, 0, nullptr);
        std::printf("%s %s %s\n", cudaGetErrorName(nowhere), cudaGetErrorName(around),
                    cudaGetErrorName(null));
    }
    if (how == "memory") {
        int failed = 0;
        for (std::size_t i = 0; i < 3; ++i)
            failed += cudaMalloc(&device, (std::size_t{1} << 50) + i) != cudaSuccess;
        std::printf("%d failed\n", failed);
    }
    if (how == "normal") {
        // A stream that has work, and an error that was told before.
        static std::atomic<bool> go{false};
        cudaLaunchHostFunc(
            nullptr,
            [](void*) {
                while (!go) {
                }
            },
            nullptr);
        const cudaError_t busy = cudaStreamQuery(nullptr);
        cudaPeekAtLastError();
        cudaGetLastError();
        go = true;
        cudaDeviceSynchronize();
        std::printf("normal: %s\n", cudaGetErrorName(busy));
    }
    if (how == "fault") {
        fault<<<1, 1>>>(device);
        const cudaError_t first = cudaDeviceSynchronize(), second = cudaMemset(device, 0, 4);
        std::printf("%s %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
    }
}
