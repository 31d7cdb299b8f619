// Copies between host and device: time by size, and which of them run beside each other and beside a kernel.
#include <cstring>
#include <utility>

#include "measure.h"

constexpr std::size_t most = 1u << 30;

void describe(const char* folder) {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int clock = 0, memory_clock = 0;
    CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
    CHECK(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0));
    int fp64_ratio = 0;
    CHECK(cudaDeviceGetAttribute(&fp64_ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, 0));
    FILE* file = std::fopen((std::string(folder) + "/device.csv").c_str(), "w");
    std::fprintf(file, "property,value\nname,%s\ncompute,%d.%d\nsms,%d\nclock_khz,%d\nmemory_clock_khz,%d\n",
                 p.name, p.major, p.minor, p.multiProcessorCount, clock, memory_clock);
    std::fprintf(file, "memory_bus_bits,%d\nmemory_bytes,%zu\nl2_bytes,%d\npersisting_l2_bytes,%d\n",
                 p.memoryBusWidth, p.totalGlobalMem, p.l2CacheSize, p.persistingL2CacheMaxSize);
    std::fprintf(file, "copy_engines,%d\necc,%d\nshared_bytes_sm,%zu\nregisters_sm,%d\nblocks_sm,%d\n",
                 p.asyncEngineCount, p.ECCEnabled, p.sharedMemPerMultiprocessor, p.regsPerMultiprocessor,
                 p.maxBlocksPerMultiProcessor);
    std::fprintf(file, "warp_size,%d\nthreads_sm,%d\nthreads_block,%d\nregisters_block,%d\nfp64_ratio,%d\n",
                 p.warpSize, p.maxThreadsPerMultiProcessor, p.maxThreadsPerBlock, p.regsPerBlock, fp64_ratio);
    std::fprintf(file, "shared_bytes_block,%zu\nshared_bytes_optin,%zu\nshared_bytes_reserved,%zu\n",
                 p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.reservedSharedMemPerBlock);
    std::fprintf(file, "constant_bytes,%zu\n", p.totalConstMem);
    std::fclose(file);
}

struct Buffers {
    char *device, *other, *pinned, *pinned_other, *pageable;
    Buffers() : device(allocate<char>(most)), other(allocate<char>(most)) {
        CHECK(cudaMallocHost(&pinned, most));
        CHECK(cudaMallocHost(&pinned_other, most));
        pageable = (char*)std::malloc(most);
        for (char* memory : {pinned, pinned_other, pageable}) std::memset(memory, 7, most);
    }
};

void by_size(const char* folder, const Buffers& b) {
    Csv csv(folder, "copies", "copy,bytes");
    const auto copy = [&](const char* name, void* to, const void* from, cudaMemcpyKind kind) {
        for (std::size_t bytes = 4; bytes <= most; bytes *= 4) {
            const int times = bytes <= (16u << 20) ? 15 : 4;
            Samples events, host;
            for (int i = 0; i < times; ++i) {
                const double ms = event_ms([&] { CHECK(cudaMemcpyAsync(to, from, bytes, kind)); });
                CHECK(cudaDeviceSynchronize());
                const double begin = now_us();
                CHECK(cudaMemcpy(to, from, bytes, kind));
                if (kind == cudaMemcpyDeviceToDevice) CHECK(cudaDeviceSynchronize());
                const double us = now_us() - begin;
                if (i == 0) continue;
                events.push_back(ms * 1000);
                host.push_back(us);
            }
            csv.row(settings("%s,%zu", name, bytes), "us by events", events);
            csv.row(settings("%s,%zu", name, bytes), "us by the host's clock", host);
        }
    };
    copy("pinned to device", b.device, b.pinned, cudaMemcpyHostToDevice);
    copy("pageable to device", b.device, b.pageable, cudaMemcpyHostToDevice);
    copy("device to pinned", b.pinned, b.device, cudaMemcpyDeviceToHost);
    copy("device to pageable", b.pageable, b.device, cudaMemcpyDeviceToHost);
    copy("device to device", b.other, b.device, cudaMemcpyDeviceToDevice);
    for (std::size_t bytes = 4; bytes <= most; bytes *= 4) {
        Samples events;
        for (int i = 0; i < 6; ++i) {
            const double ms = event_ms([&] { CHECK(cudaMemsetAsync(b.device, i, bytes)); });
            if (i) events.push_back(ms * 1000);
        }
        csv.row(settings("memset,%zu", bytes), "us by events", events);
    }
}

// Keeps 8 SMs busy without memory traffic, about as long as one of the copies takes.
__global__ void spin(unsigned long long ns) {
    const unsigned long long begin = nanoseconds();
    while (nanoseconds() - begin < ns) {
    }
}

void overlap(const char* folder, const Buffers& b) {
    Csv csv(folder, "overlap", "first,second");
    const std::size_t bytes = 256u << 20, half = most / 2;
    cudaStream_t streams[2];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const std::pair<const char*, std::function<void(cudaStream_t, int)>> works[] = {
        {"pinned to device",
         [&](cudaStream_t s, int i) {
             CHECK(
                 cudaMemcpyAsync(b.device + i * half, b.pinned + i * half, bytes, cudaMemcpyHostToDevice, s));
         }},
        {"device to pinned",
         [&](cudaStream_t s, int i) {
             CHECK(cudaMemcpyAsync(b.pinned_other + i * half, b.other + i * half, bytes,
                                   cudaMemcpyDeviceToHost, s));
         }},
        {"device to device",
         [&](cudaStream_t s, int i) {
             for (int k = 0; k < 20; ++k)
                 CHECK(cudaMemcpyAsync(b.other + i * half, b.device + i * half, bytes,
                                       cudaMemcpyDeviceToDevice, s));
         }},
        {"kernel of 5 ms", [&](cudaStream_t s, int) { spin<<<8, 256, 0, s>>>(5'000'000); }},
        {"pageable to device",
         [&](cudaStream_t s, int i) {
             CHECK(cudaMemcpyAsync(b.device + i * half, b.pageable + i * half, bytes, cudaMemcpyHostToDevice,
                                   s));
         }},
    };
    const auto time = [&](const std::function<void()>& work) {
        Samples us;
        for (int i = 0; i < 6; ++i) {
            CHECK(cudaDeviceSynchronize());
            const double begin = now_us();
            work();
            CHECK(cudaDeviceSynchronize());
            if (i) us.push_back(now_us() - begin);
        }
        return us;
    };
    for (const auto& [name, work] : works)
        csv.row(settings("%s,", name), "us", time([&] { work(streams[0], 0); }));
    for (const auto& [first, first_work] : works)
        for (const auto& [second, second_work] : works)
            csv.row(settings("%s,%s", first, second), "us", time([&] {
                        first_work(streams[0], 0);
                        second_work(streams[1], 1);
                    }));
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    describe(folder);
    Buffers buffers;
    by_size(folder, buffers);
    overlap(folder, buffers);
}
