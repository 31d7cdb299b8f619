// Under the simulated clock, which is the default, the host's clocks tell the simulated GPU's time around a
// kernel as CUDA's events do; sleeps pass, a loop that waits for a clock ends, and lockstep's own work takes
// no time.
// RUN: lockstep run %s
// OUT: ^host-clocks ok$
// RUN: lockstep run --host free %s
// OUT: ^host-clocks ok$
// RUN: lockstep nvcc %s -I%S -o %t/app && %t/app
// OUT: ^host-clocks ok$
// RUN: lockstep nvcc %s -I%S -o %t/app && %t/app wall
// ENV: LOCKSTEP_CLOCK=wall
// OUT: ^host-clocks ok$
// RUN: lockstep run --clock wall %s -- wall
// OUT: ^host-clocks ok$
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "support/check.h"

// A chain of multiply-adds: 4 cycles each, and so about a millisecond on an H200.
__global__ void spin(float* out, int steps) {
    float x = 1;
    for (int i = 0; i < steps; ++i) x = x * 0.999f + 0.5f;
    *out = x;
}

static double seconds(const timespec& t) {
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
static double seconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}
static double told(clockid_t clock) {
    timespec now{};
    EXPECT(clock_gettime(clock, &now) == 0);
    return seconds(now);
}
// Nobody answers a call of the kernel itself.
static double real_time() {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return seconds(now);
}

struct Clock {
    const char* name;
    double (*now)();        // seconds
    double resolution = 0;  // of what it tells
    bool processor = false;
};

static double (*omp_get_wtime)() = nullptr;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // ftime

static std::vector<Clock> clocks() {
    std::vector<Clock> all = {
        {"gettimeofday",
         [] {
             timeval t{};
             return gettimeofday(&t, nullptr), seconds(t);
         },
         1e-6},
        {"realtime", [] { return told(CLOCK_REALTIME); }},
        {"monotonic", [] { return told(CLOCK_MONOTONIC); }},
        {"monotonic raw", [] { return told(CLOCK_MONOTONIC_RAW); }},
        {"monotonic coarse", [] { return told(CLOCK_MONOTONIC_COARSE); }, 5e-3},
        {"realtime coarse", [] { return told(CLOCK_REALTIME_COARSE); }, 5e-3},
        {"boottime", [] { return told(CLOCK_BOOTTIME); }},
        {"timespec_get",
         [] {
             timespec t{};
             return timespec_get(&t, TIME_UTC), seconds(t);
         }},
        {"ftime",
         [] {
             timeb t{};
             return ftime(&t), static_cast<double>(t.time) + 1e-3 * t.millitm;
         },
         1e-3},
        {"times",
         [] {
             tms t{};
             return static_cast<double>(times(&t)) / sysconf(_SC_CLK_TCK);
         },
         10e-3},
        {"steady_clock",
         [] {
             return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
                 .count();
         }},
        {"system_clock",
         [] {
             return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
                 .count();
         },
         1e-6},
        {"clock", [] { return static_cast<double>(clock()) / CLOCKS_PER_SEC; }, 1e-6, true},
        {"process time", [] { return told(CLOCK_PROCESS_CPUTIME_ID); }, 0, true},
        {"thread time", [] { return told(CLOCK_THREAD_CPUTIME_ID); }, 0, true},
        {"getrusage",
         [] {
             rusage t{};
             return getrusage(RUSAGE_SELF, &t), seconds(t.ru_utime) + seconds(t.ru_stime);
         },
         1e-6, true},
    };
    if (void* const library = dlopen("libgomp.so.1", RTLD_NOW))
        omp_get_wtime = reinterpret_cast<double (*)()>(dlsym(library, "omp_get_wtime"));
    if (omp_get_wtime) all.push_back({"OpenMP", [] { return omp_get_wtime(); }});
    return all;
}

static float* out = nullptr;

static double kernel_seconds() {
    cudaEvent_t begin{}, end{};
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventRecord(begin));
    spin<<<1, 1>>>(out, 400000);
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    float ms = -1;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    return 1e-3 * ms;
}

static void expect(bool good, const Clock& clock, const char* what, double seconds) {
    EXPECT(good);
    if (!good) std::printf("%s: %s: %g s\n", clock.name, what, seconds);
}

int main(int argc, char** argv) {
    const bool wall = argc > 1 && !std::strcmp(argv[1], "wall");
    const double real_begin = real_time(), begin = told(CLOCK_MONOTONIC);
    EXPECT(time(nullptr) > 1'700'000'000);
    out = device_zeros<float>(1);

    const double kernel = kernel_seconds();
    EXPECT(wall || (kernel > 0.5e-3 && kernel < 10e-3));
    for (const Clock& clock : clocks()) {
        double before = clock.now();
        spin<<<1, 1>>>(out, 400000);
        CUDA(cudaDeviceSynchronize());
        double passed = clock.now() - before;
        if (wall)
            expect(passed >= 0, clock, "kernel", passed);
        else
            expect(passed > kernel - clock.resolution - 1e-6 && passed < kernel + clock.resolution + 0.3e-3,
                   clock, "kernel", passed);

        before = clock.now();
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        usleep(10000);
        timeval ten{0, 10000};
        select(0, nullptr, nullptr, nullptr, &ten);
        passed = clock.now() - before;
        if (clock.processor)
            expect(passed < 0.04, clock, "processor time asleep", passed);
        else
            expect(passed > 0.049 - clock.resolution && passed < 20, clock, "asleep", passed);

        // A look at a clock takes some time, whatever else does.
        if (clock.resolution > 1e-5) continue;
        before = clock.now();
        while (clock.now() - before < 1e-3) {
        }
    }

    // What the host computes counts, unless it is free; what lockstep did never does.
    const double passed = told(CLOCK_MONOTONIC) - begin, real = real_time() - real_begin;
    if (!wall) EXPECT(passed < real);
    std::printf("%.3f s of %.3f s\n", passed, real);
    return finish("host-clocks");
}
