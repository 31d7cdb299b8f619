// The workloads that every engine runs, and the line in which a measuring program reports one. Shared by the
// CUDA program, the OpenCL program and the one that starts them, so it holds plain C++17 only.
#pragma once
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

constexpr unsigned reduction_block = 512, shared_sum_block = 256;
constexpr int tile = 16;
constexpr int sum_block_x = 32, sum_block_y = 16;

// Both sides fill their inputs with these, so that the results can be checked exactly: every sum stays below
// 2^24.
inline int int_input(unsigned i) { return static_cast<int>((i * 2654435761u >> 13) & 0xFFu); }
inline float float_input(unsigned i) { return static_cast<float>((i * 2654435761u >> 24) & 0xFu); }

struct Timing {
    double first_s = 0;  // with whatever the engine compiles at the first launch
    std::vector<double> warm_s;
};

// From the kernel itself: lockstep answers the C library's clocks with the simulated GPU's time. The wall's,
// or with BENCH_CPU_TIME in the environment the process's own.
inline double real_seconds() {
    static const clockid_t clock = std::getenv("BENCH_CPU_TIME") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    timespec now{};
    syscall(SYS_clock_gettime, clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Prepare, class Body>
Timing measure(int repeats, Prepare prepare, Body body) {
    Timing timing;
    for (int i = 0; i <= repeats; ++i) {
        prepare();
        const double start = real_seconds();
        body();
        const double s = real_seconds() - start;
        if (i == 0)
            timing.first_s = s;
        else
            timing.warm_s.push_back(s);
    }
    return timing;
}

// One line, key=value: what bench/run reads.
inline void report(const std::string& workload, std::uint64_t size, const Timing& timing, bool right,
                   std::uint64_t device_bytes) {
    std::vector<double> sorted = timing.warm_s;
    std::sort(sorted.begin(), sorted.end());
    double first = timing.first_s, best = sorted.empty() ? first : sorted.front();
    double median = sorted.empty() ? first : sorted[sorted.size() / 2];
    std::printf(
        "BENCH workload=%s size=%llu first_s=%.6f best_s=%.6f median_s=%.6f device_bytes=%llu result=%s\n",
        workload.c_str(), static_cast<unsigned long long>(size), first, best, median,
        static_cast<unsigned long long>(device_bytes), right ? "right" : "WRONG");
    std::fflush(stdout);
}

// ARGV: workload, size (elements, or the side of a square matrix), repeats.
struct Request {
    std::string workload;
    std::uint64_t size = 0;
    int repeats = 5;
};

inline Request parse_request(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s WORKLOAD SIZE [REPEATS]\n", argv[0]);
        std::exit(2);
    }
    return {argv[1], std::strtoull(argv[2], nullptr, 10), argc > 3 ? std::atoi(argv[3]) : 5};
}

inline bool right_reduction(const std::vector<int>& partial, std::uint64_t n) {
    std::int64_t expected = 0, got = 0;
    for (std::uint64_t i = 0; i < n; ++i) expected += int_input(static_cast<unsigned>(i));
    for (int x : partial) got += x;
    return expected == got;
}

// Some rows suffice: a wrong kernel is wrong in all of them.
inline bool right_product(const std::vector<float>& c, int width) {
    for (int row : {0, 1, width / 2, width - 1})
        for (int col = 0; col < width; ++col) {
            float sum = 0;
            for (int k = 0; k < width; ++k)
                sum += float_input(static_cast<unsigned>(row * width + k)) *
                       float_input(static_cast<unsigned>(k * width + col));
            if (c[static_cast<std::size_t>(row) * width + col] != sum) return false;
        }
    return true;
}

// `part` begins at element `first` of the result.
inline bool right_sum(const std::vector<float>& part, std::size_t first) {
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] != 2 * float_input(static_cast<unsigned>(first + i))) return false;
    return true;
}

}  // namespace bench
