// What looks like a mistake of the host's and is none: nothing is to be told of it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

struct Freed {
    void operator()(int* p) const { cudaFree(p); }
};
using Memory = std::unique_ptr<int, Freed>;

static Memory outlives_main;

static void streams_with_events(int* device, int* host) {
    cudaStream_t one, other;
    cudaEvent_t copied, used;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&used, cudaEventDisableTiming);
    for (int i = 0; i < 3; ++i) {
        // The first turn waits for nothing, and its host memory is not written while it is read.
        cudaStreamWaitEvent(one, used, 0);
        cudaMemcpyAsync(device, host, 128, cudaMemcpyHostToDevice, one);
        cudaEventRecord(copied, one);
        cudaStreamWaitEvent(other, copied, 0);
        twice<<<1, 32, 0, other>>>(device);
        cudaEventRecord(used, other);
    }
    cudaMemcpyAsync(host + 32, device, 128, cudaMemcpyDeviceToHost, other);
    cudaEventRecord(used, other);
    while (cudaEventQuery(used) == cudaErrorNotReady) {
    }
    std::printf("%d\n", host[33]);
    cudaEventDestroy(copied);
    cudaEventDestroy(used);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

static void default_stream_orders(int* device, int* host) {
    cudaStream_t blocking;
    cudaStreamCreate(&blocking);
    cudaMemcpyAsync(device, host, 128, cudaMemcpyHostToDevice, blocking);
    twice<<<1, 32>>>(device);
    cudaMemcpyAsync(host, device, 128, cudaMemcpyDeviceToHost, blocking);
    cudaStreamSynchronize(blocking);
    host[0] = 1;
    cudaStreamDestroy(blocking);
}

// Halves of one buffer.
static void parts(int* device, int* host) {
    cudaStream_t stream[2];
    for (int i = 0; i < 2; ++i) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaMemcpyAsync(device + 16 * i, host + 16 * i, 64, cudaMemcpyHostToDevice, stream[i]);
    }
    std::printf("%d\n", host[1]);  // who only reads may
    host[40] = 3;                  // another part
    for (cudaStream_t one : stream) cudaStreamSynchronize(one), cudaStreamDestroy(one);
}

static void errors_that_are_looked_at(int* device) {
    twice<<<1, 5000>>>(device);
    twice<<<1, 32>>>(device);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    void* much;
    if (cudaMalloc(&much, size_t{1} << 60) != cudaSuccess) cudaGetLastError();
    cudaFree(nullptr);
    cudaDeviceSynchronize();
}

// What is copied stays until it was waited for; results of calls that wait may go at once.
static void temporary_memory(int* device) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    void* host = std::malloc(128);
    std::memset(host, 0, 128);
    cudaHostRegister(host, 128, 0);
    cudaMemcpyAsync(device, host, 128, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaHostUnregister(host);
    std::free(host);
    int* const pageable = new int[32];
    cudaMemcpyAsync(pageable, device, 128, cudaMemcpyDeviceToHost, stream);
    delete[] pageable;
    cudaStreamDestroy(stream);
}

int main() {
    int *device, *host;
    cudaMalloc(&device, 256);
    cudaMallocHost(&host, 4096);
    std::memset(host, 0, 4096);
    cudaMemset(device, 0, 256);
    cudaDeviceSynchronize();
    host[1] = 7;
    streams_with_events(device, host);
    default_stream_orders(device, host);
    parts(device, host);
    errors_that_are_looked_at(device);
    temporary_memory(device);
    cudaFree(device);
    cudaFreeHost(host);
    int* kept;
    cudaMalloc(&kept, 64);
    outlives_main.reset(kept);
    int* managed;
    cudaMallocManaged(&managed, 128);
    for (int i = 0; i < 32; ++i) managed[i] = i;
    twice<<<1, 32>>>(managed);
    cudaDeviceSynchronize();
    std::printf("%d\n", managed[5]);
    cudaFree(managed);
}
