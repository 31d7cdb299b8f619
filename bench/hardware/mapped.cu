// The host's memory, mapped into the device's addresses: what a load takes, and what kernels read and write.
#include <numeric>

#include "measure.h"

__global__ void follow(const int* next, int steps, long long* cycles, int* sink) {
    int at = 0;
    const long long begin = clock64();
    for (int i = 0; i < steps; ++i) at = next[at];
    *sink = at;
    *cycles = clock64() - begin;
}

// As many bytes a thread as T has.
template <class T>
__global__ void copy(const T* from, T* to, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

struct Memory {
    static constexpr std::size_t bytes = 64u << 20;
    char *host = nullptr, *device = allocate<char>(bytes);
    Memory() { CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocMapped)); }
};

void latency(Csv& csv, const Memory& memory) {
    long long* cycles = allocate<long long>(1);
    int* sink = allocate<int>(1);
    const int steps = 256, apart = 4096 / sizeof(int);
    int* next = reinterpret_cast<int*>(memory.host);
    for (int i = 0; i < steps; ++i) next[i * apart] = (i + 1) * apart;
    Samples samples;
    for (int repeat = 0; repeat < 6; ++repeat) {
        follow<<<1, 1>>>(next, steps, cycles, sink);
        long long found = 0;
        CHECK(cudaMemcpy(&found, cycles, sizeof found, cudaMemcpyDeviceToHost));
        if (repeat) samples.push_back(double(found) / steps);
    }
    csv.row("load,1", "cycles a load", samples);
}

template <class T>
void throughput(Csv& csv, const char* what, const char* from, char* to) {
    const unsigned count = Memory::bytes / sizeof(T);
    Samples samples;
    for (int repeat = 0; repeat < 6; ++repeat) {
        const double ms = event_ms([&] {
            copy<<<8 * sm_count(), 256>>>(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to), count);
        });
        if (repeat) samples.push_back(Memory::bytes / ms / 1e6);
    }
    csv.row(settings("%s,%zu", what, sizeof(T)), "GB/s", samples);
}

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "mapped", "what,bytes");
    Memory memory;
    latency(csv, memory);
    throughput<float>(csv, "read", memory.host, memory.device);
    throughput<float4>(csv, "read", memory.host, memory.device);
    throughput<float>(csv, "write", memory.device, memory.host);
    throughput<float4>(csv, "write", memory.device, memory.host);
}
