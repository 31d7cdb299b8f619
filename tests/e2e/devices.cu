// Several devices: memory, streams and events of each, copies between them, and kernels that reach a peer's
// memory when they may.
// RUN: lockstep run --devices 2 %s
// OUT: ^devices ok$
// RUN: lockstep run --devices h200,a100 %s
// OUT: ^devices ok$
// RUN: lockstep timeline --devices 2 %s
// OUT: ^devices ok$
// OUT: device 1, stream
// RUN: lockstep profile --gpu h200,a100 --metrics launch__grid_size --json %t/run.json %s
// OUT: device 0: NVIDIA H200 .*, device 1: NVIDIA A100
// OUT: Kernel: fill\(int \*, int, int\), device 0
// OUT: Kernel: fill\(int \*, int, int\), device 1
// RUN: tr -d '\n' < %t/run.json
// OUT: "devices": .*"gpu": "h200".*"gpu": "a100".*"device": 1
// RUN: lockstep nvprof --devices 1 --print-gpu-trace --csv %s
// ENV: LOCKSTEP_DEVICES=2
// ERR: "NVIDIA H200 \(1\)"
// NOT: "NVIDIA H200 \(0\)"
// RUN: lockstep ncu --devices 1 --metrics launch__grid_size %s
// ENV: LOCKSTEP_DEVICES=h200,a100
// OUT: Device 1, CC 8.0
// NOT: Device 0
// RUN: lockstep nvprof --devices 2 --metrics ipc %s
// ENV: LOCKSTEP_DEVICES=2
// EXIT: 2
// ERR: there is no device 2
// RUN: lockstep profile --gpu h200,a100 --devices 2 %s
// EXIT: nonzero
// ERR: --devices 2 is one too many
// RUN: lockstep run --devices 2 %s -- without-access
// EXIT: nonzero
// ERR: which device 0 has no access to: (0|1024|2048|3072) bytes inside the 4000-byte allocation at 0x[0-9a-f]+ \(device memory of device 1\) \(cudaDeviceEnablePeerAccess
// RUN: lockstep run --devices 17 %s
// EXIT: nonzero
// ERR: --devices 17: 1 to 16 are possible
#include <thread>

#include "support/check.h"

__global__ void fill(int* data, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value + i;
}
__global__ void add(int* to, const int* from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}

int main(int argc, char**) {
    const int n = 1000;
    int count = 0, can = 0, device = -1;
    CUDA(cudaGetDeviceCount(&count));
    EXPECT(count == 2);
    if (count != 2) return finish("devices");
    int* data[2];
    cudaStream_t stream[2];
    cudaEvent_t done[2];
    for (int d = 0; d < 2; ++d) {
        CUDA(cudaSetDevice(d));
        CUDA(cudaMalloc(&data[d], n * sizeof(int)));
        CUDA(cudaStreamCreate(&stream[d]));
        CUDA(cudaEventCreate(&done[d]));
        fill<<<4, 256, 0, stream[d]>>>(data[d], n, 1000 * d);
        CUDA(cudaGetLastError());
        CUDA(cudaEventRecord(done[d], stream[d]));
    }
    // The device is each thread's own.
    std::thread([&] {
        CUDA(cudaGetDevice(&device));
        EXPECT(device == 0);
    }).join();
    CUDA(cudaGetDevice(&device));
    EXPECT(device == 1);

    // A stream of one device, another being current.
    CUDA(cudaSetDevice(0));
    fill<<<1, 1, 0, stream[1]>>>(data[0], 1, 0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventRecord(done[0], stream[1]) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    CUDA(cudaStreamWaitEvent(stream[0], done[1], 0));
    CUDA(cudaStreamSynchronize(stream[1]));

    // Copies need no access.
    int* both = nullptr;
    CUDA(cudaMalloc(&both, n * sizeof(int)));
    CUDA(cudaMemcpyPeerAsync(both, 0, data[1], 1, n * sizeof(int), stream[0]));
    CUDA(cudaStreamSynchronize(stream[0]));
    EXPECT(to_host(both, n)[n - 1] == 1999);
    CUDA(cudaMemcpy(both, data[1], n * sizeof(int), cudaMemcpyDefault));
    EXPECT(to_host(both, n)[0] == 1000);
    cudaPointerAttributes attributes{};
    CUDA(cudaPointerGetAttributes(&attributes, data[1]));
    EXPECT(attributes.device == 1);

    CUDA(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
    EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
    CUDA(cudaDeviceEnablePeerAccess(1, 0));
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    cudaGetLastError();
    add<<<4, 256>>>(both, data[1], n);
    CUDA(cudaDeviceSynchronize());
    EXPECT(to_host(both, n)[1] == 2002);
    CUDA(cudaDeviceDisablePeerAccess(1));
    if (argc > 1) {
        add<<<4, 256>>>(both, data[1], n);
        CUDA(cudaDeviceSynchronize());
    }
    return finish("devices");
}
