// Pages of managed memory in time: they come to who touches them, a prefetch brings them before, advice keeps them.
// RUN: lockstep run %s
// OUT: ^fetched by a kernel: long, then short, right 2$
// OUT: ^half of it back to the host, fetched again: shorter than all of it$
// OUT: ^after a prefetch: short$
// OUT: ^the kernel touches it first: nothing moves$
// OUT: ^read-mostly: long, then short$
// OUT: ^preferred on the host: short$
// OUT: ^discarded: short$
// RUN: lockstep timeline %s
// OUT: copies to device
// OUT: ^managed memory: 10 MB fetched by kernels, 6291 KB by the host, in
// RUN: lockstep nvprof --print-gpu-trace %s
// ERR: 4\.0000MB.*\[Unified Memory Memcpy HtoD\]
// ERR: 2\.0000MB.*\[Unified Memory Memcpy DtoH\]
#include <cstdio>

constexpr size_t count = 1 << 20, bytes = count * sizeof(float);
__global__ void add(float* p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void look(const float* p, float* sum) {
    if (p[blockIdx.x * blockDim.x + threadIdx.x] == -1) *sum = 1;
}

static cudaEvent_t from, to;
template <class Work>
static float microseconds(Work&& work) {
    float ms = 0;
    cudaEventRecord(from);
    work();
    cudaEventRecord(to);
    cudaEventSynchronize(to);
    cudaEventElapsedTime(&ms, from, to);
    return 1000 * ms;
}
static const char* length(float us) { return us > 300 ? "long" : "short"; }
static void on_host(float* p, size_t n) {
    for (size_t i = 0; i < n; ++i) p[i] = 1;
}

int main() {
    float *p, *first, *sum;
    cudaEventCreate(&from), cudaEventCreate(&to);
    cudaMalloc(&sum, 4);
    cudaMallocManaged(&p, bytes);
    on_host(p, count);
    const auto kernel = [&] { add<<<count / 256, 256>>>(p); };
    const auto reader = [&] { look<<<count / 256, 256>>>(p, sum); };
    const float all = microseconds(kernel), none = microseconds(kernel);
    const float value = p[0];
    std::printf("fetched by a kernel: %s, then %s, right %g\n", length(all), length(none), value - 1);
    on_host(p, count / 2);
    const float half = microseconds(kernel);
    std::printf("half of it back to the host, fetched again: %s\n", half > 300 && half < 0.8f * all ? "shorter than all of it" : "WRONG");
    on_host(p, count);
    cudaMemPrefetchAsync(p, bytes, 0);
    cudaDeviceSynchronize();
    std::printf("after a prefetch: %s\n", length(microseconds(kernel)));
    cudaMallocManaged(&first, bytes);
    std::printf("the kernel touches it first: %s\n", microseconds([&] { add<<<count / 256, 256>>>(first); }) < 300 ? "nothing moves" : "WRONG");
    cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId);
    cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, 0);
    cudaDeviceSynchronize();
    const float copied = microseconds(reader);
    for (size_t i = 0; i < count; i += 1024)
        if (p[i] < 0) return 1;
    std::printf("read-mostly: %s, then %s\n", length(copied), length(microseconds(reader)));
    cudaMemAdvise(p, bytes, cudaMemAdviseUnsetReadMostly, 0);
    on_host(p, count);
    cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    std::printf("preferred on the host: %s\n", length(microseconds(reader)));
    cudaMemAdvise(p, bytes, cudaMemAdviseUnsetPreferredLocation, 0);
    on_host(p, count);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    size_t size = bytes;
    cudaMemDiscardBatchAsync(&p, &size, 1, 0, stream);
    cudaStreamSynchronize(stream);
    std::printf("discarded: %s\n", length(microseconds(kernel)));
    cudaFree(p), cudaFree(first);
    return 0;
}
