// What every measuring program here shares: errors, samples and their summary, CSV files, and the cycles that
// a kernel's warps spent on each SM.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status = (call);                                                             \
        if (status != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

using Samples = std::vector<double>;

inline double median(Samples samples) {
    std::sort(samples.begin(), samples.end());
    const auto middle = samples.size() / 2;
    return samples.size() % 2 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

inline Samples scaled(Samples samples, const std::function<double(double)>& change) {
    for (double& sample : samples) sample = change(sample);
    return samples;
}

// One file of results: a row is what was set, then median, least, most and count of the samples.
class Csv {
  public:
    Csv(const std::string& folder, const std::string& name, const std::string& settings)
        : file_(std::fopen((folder + "/" + name + ".csv").c_str(), "w")) {
        if (!file_) {
            std::perror((folder + "/" + name + ".csv").c_str());
            std::exit(1);
        }
        std::fprintf(file_, "%s,unit,median,least,most,samples\n", settings.c_str());
    }
    ~Csv() { std::fclose(file_); }
    Csv(const Csv&) = delete;

    void row(const std::string& settings, const char* unit, const Samples& samples) {
        const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
        std::fprintf(file_, "%s,%s,%.6g,%.6g,%.6g,%zu\n", settings.c_str(), unit, median(samples), *least,
                     *most, samples.size());
        std::fflush(file_);
    }

  private:
    FILE* file_;
};

template <class... Parts>
std::string settings(const char* format, Parts... parts) {
    char text[256];
    std::snprintf(text, sizeof text, format, parts...);
    return text;
}

inline const char* output_folder(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        std::exit(2);
    }
    return argv[1];
}

// The SMs' largest clock, at which they run a kernel that is the only one.
inline double clock_ghz() {
    int khz = 0;
    CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    return khz * 1e-6;
}

inline int sm_count() {
    int count = 0;
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

// 90 for compute capability 9.0.
inline int capability() {
    int major = 0, minor = 0;
    CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    return major * 10 + minor;
}

// So many bytes for each of several arrays, or the half, the quarter … where the GPU has less memory.
inline unsigned long long portion(unsigned long long wanted, int arrays) {
    std::size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    while (wanted * arrays > free / 10 * 7) wanted /= 2;
    return wanted;
}

template <class T>
T* allocate(std::size_t count) {
    T* memory = nullptr;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    CHECK(cudaMemset(memory, 0, count * sizeof(T)));
    return memory;
}

// Milliseconds on the GPU between events around `work`.
inline double event_ms(const std::function<void()>& work) {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (!begin) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
}

inline double now_us() {
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

__device__ inline unsigned sm_id() {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

__device__ inline unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// When one warp began and ended, by the clock of its SM.
struct Span {
    long long begin, end;
    unsigned sm;
};

__device__ inline void note_span(Span* spans, long long begin, long long end) {
    if (threadIdx.x % 32 == 0) spans[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {begin, end, sm_id()};
}

// All blocks on an SM start together: each adds itself to its SM's count and waits for the rest. `turn`
// counts the meetings of one launch from 1. Every block must be resident (see fits()).
//
// The last barrier is one with a result, and the branch needs it: a warp goes on past a plain barrier until
// something has to wait, and would read the clock too early.
__device__ inline void meet(unsigned* arrived, unsigned blocks_an_sm, unsigned turn) {
    __syncthreads();
    if (threadIdx.x == 0) {
        volatile unsigned* count = arrived + sm_id();
        atomicAdd(arrived + sm_id(), 1u);
        while (*count < blocks_an_sm * turn) {
        }
    }
    if (__syncthreads_or(arrived == nullptr)) __trap();
}

// Launches and reads spans; the blocks are as many as fill `sms` SMs with `blocks_an_sm` each.
class SpanMeter {
  public:
    SpanMeter() : spans_(allocate<Span>(max_warps)), arrived_(allocate<unsigned>(1024)) {}

    Span* spans() const { return spans_; }
    unsigned* arrived() const { return arrived_; }

    // Cycles from the first begin to the last end on each SM that took part.
    Samples cycles(int warps, const std::function<void()>& launch) {
        CHECK(cudaMemset(arrived_, 0, 1024 * sizeof(unsigned)));
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::vector<Span> spans(warps);
        CHECK(cudaMemcpy(spans.data(), spans_, warps * sizeof(Span), cudaMemcpyDeviceToHost));
        std::map<unsigned, Span> by_sm;
        for (const Span& span : spans) {
            Span& whole = by_sm.try_emplace(span.sm, span).first->second;
            whole.begin = std::min(whole.begin, span.begin);
            whole.end = std::max(whole.end, span.end);
        }
        Samples result;
        for (const auto& [sm, whole] : by_sm) result.push_back(double(whole.end - whole.begin));
        return result;
    }

  private:
    static constexpr int max_warps = 1 << 16;
    Span* spans_;
    unsigned* arrived_;
};

// How many blocks of how many threads make up so many warps on one SM.
struct Residency {
    int blocks, threads;
};
inline Residency residency(int warps_an_sm) {
    return warps_an_sm <= 32 ? Residency{1, warps_an_sm * 32} : Residency{2, warps_an_sm * 16};
}

// Whether an SM holds so many blocks of a kernel at once.
template <class Kernel>
bool fits(Kernel kernel, Residency wanted) {
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, wanted.threads, 0));
    return blocks >= wanted.blocks;
}
