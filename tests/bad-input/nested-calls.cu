// Calls of the device runtime that it refuses: the error in the kernel, and why, each once.
// RUN: lockstep run --gpu h200 %s
// OUT: ^1 cudaErrorInvalidValue 1 cudaErrorInvalidValue 1 1 1 1 21 2$
// ERR: kernel calls\(int\*\), block \(0,0,0\), thread \(0,0,0\): .*: 0x1234 is no stream that this block has made \(error 1 in the kernel\)
// ERR: .*: flags 7: there is cudaStreamNonBlocking \(error 1
// ERR: .*: flags 0: kernels have events with cudaEventDisableTiming only \(error 1
// ERR: .*: 0x99 is no event that this block has made \(error 1
// ERR: .*: the tail stream, and what is fired and forgotten, has no events \(error 1
// ERR: .*: kernels copy inside the device, not from or to the host \(error 21
// ERR: .*: the kernels' heap has no [0-9]+ bytes left \(error 2
#include <cstdio>

__global__ void none() {}

__global__ void calls(int* out) {
    none<<<1, 1, 0, (cudaStream_t)0x1234>>>();
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t destroyed = cudaStreamDestroy((cudaStream_t)0x1234);
    cudaStream_t stream;
    cudaEvent_t event;
    const cudaError_t stream_made = cudaStreamCreateWithFlags(&stream, 7);
    const cudaError_t event_made = cudaEventCreateWithFlags(&event, 0);
    const cudaError_t recorded = cudaEventRecord((cudaEvent_t)0x99, 0);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    const cudaError_t in_tail = cudaEventRecord(event, cudaStreamTailLaunch);
    const cudaError_t copied = cudaMemcpyAsync(out, out + 1, 4, cudaMemcpyHostToDevice, 0);
    void* memory;
    const cudaError_t allocated = cudaMalloc(&memory, 1ull << 40);
    printf("%d %s %d %s %d %d %d %d %d %d\n", launched, cudaGetErrorName(launched), destroyed,
           cudaGetErrorName(destroyed), stream_made, event_made, recorded, in_tail, copied, allocated);
}

int main() {
    int* out;
    cudaMalloc(&out, 64);
    calls<<<1, 1>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
