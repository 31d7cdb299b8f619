// A default stream a thread: the null stream of each thread is its own, and <<<>>> uses it.
// RUN: lockstep run --default-stream per-thread %s
// OUT: ^own streams: 1$
// OUT: ^per-thread-stream ok$
// RUN: lockstep run %s
// OUT: ^own streams: 0$
// OUT: ^per-thread-stream ok$
// RUN: lockstep run --default-stream=sometimes %s
// EXIT: 2
// ERR: expected legacy, null or per-thread
#include <atomic>
#include <chrono>
#include <thread>

#include "support/check.h"

__global__ void add(int* value, int n) { *value += n; }

static std::atomic<bool> gate_open{false};
static void wait_for_gate(void*) {
    while (!gate_open) std::this_thread::yield();
}

int main() {
    int *mine = device_zeros<int>(1), *theirs = device_zeros<int>(1);
    CUDA(cudaLaunchHostFunc(nullptr, wait_for_gate, nullptr));
    add<<<1, 1>>>(mine, 5);
    // With one default stream for all, the other thread's work waits too.
    bool done_early = false;
    std::thread other([&] {
        add<<<1, 1>>>(theirs, 7);
        for (int i = 0; i < 100 && !done_early; ++i) {
            done_early = cudaStreamQuery(nullptr) == cudaSuccess;
            cudaGetLastError();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    other.join();
    std::printf("own streams: %d\n", done_early);
    EXPECT(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    cudaGetLastError();
    gate_open = true;
    CUDA(cudaDeviceSynchronize());
    EXPECT(to_host(mine, 1)[0] == 5);
    EXPECT(to_host(theirs, 1)[0] == 7);
    return finish("per-thread-stream");
}
