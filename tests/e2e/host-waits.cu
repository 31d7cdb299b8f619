// Under the simulated clock, what waits until a time that a clock of the host told waits as long as it
// should, though the real time is later by then; clocks of several threads go forward; a host function sees
// them, too.
// RUN: lockstep run %s
// OUT: ^host-waits ok$
// RUN: lockstep run --host free %s
// OUT: ^host-waits ok$
// RUN: lockstep run --clock wall %s
// OUT: ^host-waits ok$
// LIMIT: 60
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "support/check.h"

__global__ void spin(float* out, int steps) {
    float x = 1;
    for (int i = 0; i < steps; ++i) x = x * 0.999f + 0.5f;
    *out = x;
}

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

static double real_time() {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
static timespec in_ms(clockid_t clock, long ms) {
    timespec time{};
    clock_gettime(clock, &time);
    time.tv_nsec += ms * 1'000'000;
    time.tv_sec += time.tv_nsec / 1'000'000'000;
    time.tv_nsec %= 1'000'000'000;
    return time;
}

// A wait that nobody ends takes 30 ms, of real time and of the program's.
template <class Wait>
static void times_out(const char* what, Wait wait) {
    const double real = real_time();
    const auto begin = steady_clock::now();
    const bool timed_out = wait();
    const double passed = std::chrono::duration<double>(steady_clock::now() - begin).count();
    const double took = real_time() - real;
    const bool good = timed_out && passed > 0.029 && took > 0.029;
    EXPECT(good);
    if (!good) std::printf("%s: timed out %d, after %g s, really %g s\n", what, timed_out, passed, took);
}

int main() {
    float* const out = device_zeros<float>(1);
    // The simulation takes longer than what it simulates.
    for (int i = 0; i < 3; ++i) spin<<<1, 1>>>(out, 1000000);
    CUDA(cudaDeviceSynchronize());

    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock lock(mutex);
    times_out("wait_for",
              [&] { return condition.wait_for(lock, milliseconds(30)) == std::cv_status::timeout; });
    times_out("wait_until, steady", [&] {
        return condition.wait_until(lock, steady_clock::now() + milliseconds(30)) == std::cv_status::timeout;
    });
    times_out("wait_until, system", [&] {
        return condition.wait_until(lock, system_clock::now() + milliseconds(30)) == std::cv_status::timeout;
    });
    times_out("future", [] {
        std::promise<int> promise;
        return promise.get_future().wait_for(milliseconds(30)) == std::future_status::timeout;
    });
    times_out("future, system", [] {
        std::promise<int> promise;
        return promise.get_future().wait_until(system_clock::now() + milliseconds(30)) ==
               std::future_status::timeout;
    });
    times_out("timed_mutex", [] {
        std::timed_mutex one;
        one.lock();
        bool got = true;
        std::thread([&] { got = one.try_lock_for(milliseconds(30)); }).join();
        one.unlock();
        return !got;
    });
    times_out("pthread_cond_timedwait", [] {
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
        pthread_mutex_lock(&own);
        const timespec until = in_ms(CLOCK_REALTIME, 30);
        return pthread_cond_timedwait(&cond, &own, &until) == ETIMEDOUT;
    });
    times_out("pthread_cond_timedwait, monotonic", [] {
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        pthread_condattr_t attributes;
        pthread_condattr_init(&attributes);
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
        pthread_cond_t cond;
        pthread_cond_init(&cond, &attributes);
        pthread_mutex_lock(&own);
        const timespec until = in_ms(CLOCK_MONOTONIC, 30);
        return pthread_cond_timedwait(&cond, &own, &until) == ETIMEDOUT;
    });
    times_out("sem_timedwait", [] {
        sem_t semaphore;
        sem_init(&semaphore, 0, 0);
        const timespec until = in_ms(CLOCK_REALTIME, 30);
        return sem_timedwait(&semaphore, &until) != 0 && errno == ETIMEDOUT;
    });
    times_out("clock_nanosleep", [] {
        const timespec until = in_ms(CLOCK_MONOTONIC, 30);
        return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == 0;
    });
    times_out("sleep_until", [] {
        std::this_thread::sleep_until(system_clock::now() + milliseconds(30));
        return true;
    });

    // One that somebody ends is over before its time.
    {
        std::thread other([&] {
            const std::lock_guard guard(mutex);
            condition.notify_all();
        });
        EXPECT(condition.wait_for(lock, std::chrono::seconds(30)) == std::cv_status::no_timeout);
        lock.unlock();
        other.join();
    }

    // No clock goes back, in whichever thread, while another launches kernels.
    std::atomic<steady_clock::time_point> latest{steady_clock::now()};
    std::atomic<int> back{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 20000; ++i) {
                const steady_clock::time_point before = latest.load(), now = steady_clock::now();
                if (now < before) ++back;
                latest = now;
            }
        });
    for (int i = 0; i < 20; ++i) spin<<<1, 1>>>(out, 1000);
    CUDA(cudaDeviceSynchronize());
    for (std::thread& thread : threads) thread.join();
    EXPECT(back == 0);

    // A host function is the program's, and may wait for what comes after it.
    static std::atomic<bool> go{false};
    static std::atomic<double> slept{0};
    CUDA(cudaLaunchHostFunc(
        nullptr,
        [](void*) {
            while (!go) std::this_thread::yield();
            const auto begin = steady_clock::now();
            std::this_thread::sleep_for(milliseconds(20));
            slept = std::chrono::duration<double>(steady_clock::now() - begin).count();
        },
        nullptr));
    cudaEvent_t begin{}, end{};
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventRecord(begin));
    spin<<<1, 1>>>(out, 1000);
    CUDA(cudaEventRecord(end));
    go = true;
    CUDA(cudaDeviceSynchronize());
    EXPECT(slept > 0.019);
    float ms = -1;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    EXPECT(ms > 0);
    return finish("host-waits");
}
