// Streams and events: order inside a stream, waiting across streams, host functions, queries, elapsed time,
// default streams.
// RUN: lockstep run %s
// OUT: ^streams-events ok$
#include <atomic>

#include "support/check.h"

__global__ void append(int* log, int* length, int value) { log[(*length)++] = value; }

__global__ void scale(int* data, int n, int factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

static void note(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

static void callback(cudaStream_t, cudaError_t status, void* counter) {
    if (status == cudaSuccess) static_cast<std::atomic<int>*>(counter)->fetch_add(10);
}

int main() {
    cudaStream_t first{}, second{};
    CUDA(cudaStreamCreate(&first));
    CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    int *log = device_zeros<int>(64), *length = device_zeros<int>(1);
    for (int i = 0; i < 10; ++i) append<<<1, 1, 0, first>>>(log, length, i);
    cudaEvent_t done{};
    CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CUDA(cudaEventRecord(done, first));
    CUDA(cudaStreamWaitEvent(second, done, 0));
    for (int i = 10; i < 20; ++i) append<<<1, 1, 0, second>>>(log, length, i);
    CUDA(cudaStreamSynchronize(second));
    EXPECT(cudaEventQuery(done) == cudaSuccess);
    EXPECT(cudaStreamQuery(second) == cudaSuccess);
    auto l = to_host(log, 20);
    for (int i = 0; i < 20; ++i) EXPECT_AT(i, l[i], i);

    const int n = 5000;
    int *pinned = nullptr, *data = device_zeros<int>(n);
    CUDA(cudaMallocHost(&pinned, n * sizeof(int)));
    for (int i = 0; i < n; ++i) pinned[i] = i;
    std::atomic<int> notes{0};
    cudaEvent_t start{}, stop{};
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreate(&stop));
    CUDA(cudaEventRecord(start, first));
    CUDA(cudaMemcpyAsync(data, pinned, n * sizeof(int), cudaMemcpyHostToDevice, first));
    scale<<<(n + 255) / 256, 256, 0, first>>>(data, n, 3);
    CUDA(cudaLaunchHostFunc(first, note, &notes));
    scale<<<(n + 255) / 256, 256, 0, first>>>(data, n, 5);
    CUDA(cudaMemcpyAsync(pinned, data, n * sizeof(int), cudaMemcpyDeviceToHost, first));
    CUDA(cudaStreamAddCallback(first, callback, &notes, 0));
    CUDA(cudaEventRecord(stop, first));
    CUDA(cudaEventSynchronize(stop));
    CUDA(cudaStreamSynchronize(first));
    EXPECT(notes == 11);
    for (int i = 0; i < n; ++i) EXPECT_AT(i, pinned[i], i * 15);
    float ms = -1;
    CUDA(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms >= 0 && ms < 60000);

    // An event that was never recorded counts as reached, but has no time.
    cudaEvent_t never{};
    CUDA(cudaEventCreate(&never));
    EXPECT(cudaEventQuery(never) == cudaSuccess);
    EXPECT(cudaEventElapsedTime(&ms, start, never) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventElapsedTime(&ms, start, done) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();

    scale<<<1, 32, 0, cudaStreamLegacy>>>(data, 32, 1);
    scale<<<1, 32, 0, cudaStreamPerThread>>>(data, 32, 1);
    CUDA(cudaStreamSynchronize(cudaStreamPerThread));
    int low = 0, high = 0;
    CUDA(cudaDeviceGetStreamPriorityRange(&low, &high));
    EXPECT(high <= low);
    cudaStream_t urgent{};
    CUDA(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, high));
    int priority = 99;
    CUDA(cudaStreamGetPriority(urgent, &priority));
    EXPECT(priority == high);
    unsigned flags = 0;
    CUDA(cudaStreamGetFlags(second, &flags));
    EXPECT(flags == cudaStreamNonBlocking);
    for (cudaStream_t stream : {first, second, urgent}) CUDA(cudaStreamDestroy(stream));
    for (cudaEvent_t event : {done, start, stop, never}) CUDA(cudaEventDestroy(event));
    CUDA(cudaFreeHost(pinned));
    return finish("streams-events");
}
