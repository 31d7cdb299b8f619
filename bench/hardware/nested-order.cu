// When kernels that a kernel launches begin: stamps of the GPU's clock, for launches by one thread, one a
// block, or all threads of a block. nvcc -rdc=true.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int most = 8192;
__device__ unsigned long long begun[most], asked[most], parent_end;
__device__ unsigned count;
__device__ unsigned long long now() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void child(int cycles) {
    const unsigned i = atomicAdd(&count, 1);
    if (i < most) begun[i] = now();
    for (long long b = clock64(); clock64() - b < cycles;);
}
enum Stream { null, forgotten, tail };
__device__ void launch(Stream stream, int cycles) {
    if (stream == null) child<<<1, 1>>>(cycles);
    if (stream == forgotten) child<<<1, 1, 0, cudaStreamFireAndForget>>>(cycles);
    if (stream == tail) child<<<1, 1, 0, cudaStreamTailLaunch>>>(cycles);
}
// Every thread launches `each`.
__global__ void parent(Stream stream, int each, int cycles) {
    for (int i = 0; i < each; ++i) {
        if (blockIdx.x == 0 && threadIdx.x == 0 && i < most) asked[i] = now();
        launch(stream, cycles);
    }
    atomicMax(&parent_end, now());
}

void go(const char* how, Stream stream, int blocks, int threads, int each, int cycles) {
    const int n = blocks * threads * each;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float best = 1e30f;
    std::vector<unsigned long long> starts(most), asks(most);
    unsigned long long last = 0;
    cudaError_t status = cudaSuccess;
    for (int r = 0; r < 3; ++r) {
        const unsigned zero = 0;
        const unsigned long long none = 0;
        cudaMemcpyToSymbol(count, &zero, 4);
        cudaMemcpyToSymbol(parent_end, &none, 8);
        cudaEventRecord(begin);
        parent<<<blocks, threads>>>(stream, each, cycles);
        cudaEventRecord(end);
        status = cudaEventSynchronize(end);
        float t = 0;
        cudaEventElapsedTime(&t, begin, end);
        best = std::min(best, t);
    }
    unsigned ran = 0;
    cudaMemcpyFromSymbol(&ran, count, 4);
    cudaMemcpyFromSymbol(starts.data(), begun, most * 8);
    cudaMemcpyFromSymbol(asks.data(), asked, most * 8);
    cudaMemcpyFromSymbol(&last, parent_end, 8);
    const char* names[] = {"null", "forgotten", "tail"};
    std::printf("%s,%s,%d,%d,%d,%d,%u,%.2f", how, names[stream], blocks, threads, each, cycles, ran,
                best * 1000);
    const int got = std::min<int>(ran, most);
    std::sort(starts.begin(), starts.begin() + got);
    const auto since = [&](unsigned long long t) { return (double(t) - double(asks[0])) / 1000; };
    std::printf(",%.2f,", since(last));
    for (int i = 0; i < got; i = i < 8 ? i + 1 : i < 64 ? i + 8 : i * 2)
        std::printf("%d:%.2f ", i, since(starts[i]));
    if (got) std::printf("%d:%.2f", got - 1, since(starts[got - 1]));
    std::printf("%s%s\n", status ? "," : "", status ? cudaGetErrorName(status) : "");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
}

int main() {
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192);
    std::printf(
        "how,stream,blocks,threads,each,cycles,ran,event us,parent ends us,child begins: us after the first "
        "launch\n");
    parent<<<1, 1>>>(null, 1, 0);
    cudaDeviceSynchronize();
    for (Stream stream : {tail, forgotten, null}) {
        for (int n : {1, 8, 32, 48, 64, 96, 100, 128, 256, 500, 1000, 2000, 4000}) {
            go("one thread", stream, 1, 1, n, 0);
            go("one a block", stream, n, 1, 1, 0);
        }
        for (int n : {2, 8, 32, 33, 64, 100, 256, 512, 1024}) go("threads", stream, 1, n, 1, 0);
        go("blocks of 32", stream, 32, 32, 1, 0);
        go("one a block", stream, 100, 1, 1, 20000);
        go("one thread", stream, 1, 1, 100, 20000);
        go("four a block", stream, 100, 1, 4, 0);
    }
    if (const cudaError_t status = cudaDeviceSynchronize())
        std::fprintf(stderr, "%s\n", cudaGetErrorName(status));
}
