// The simulated clock: events tell the simulated GPU's time, which repeats; queries say when the work is not
// done yet, and asking again ends.
// RUN: lockstep run --clock simulated %s
// OUT: ^simulated-clock ok$
// RUN: lockstep run --host free %s
// OUT: ^simulated-clock ok$
// RUN: lockstep run --clock wall %s -- wall
// OUT: ^simulated-clock ok$
// RUN: lockstep run --clock other %s
// EXIT: 2
// ERR: --clock
// RUN: lockstep nvcc %s -I%S -o %t/app && lockstep nvprof --metrics gld_efficiency %t/app
// OUT: ^simulated-clock ok$
// RUN: lockstep nvprof --clock never ./none
// EXIT: 2
// ERR: --clock never: expected wall or simulated
// RUN: lockstep run %s
// ENV: LOCKSTEP_CLOCK=nonsense
// EXIT: nonzero
// ERR: LOCKSTEP_CLOCK=nonsense: expected wall or simulated
// RUN: lockstep run %s
// ENV: LOCKSTEP_TIMELINE=%t
// ENV: LOCKSTEP_CLOCK=wall
// EXIT: nonzero
// ERR: LOCKSTEP_TIMELINE: a timeline needs the simulated clock
#include <cmath>
#include <cstring>

#include "support/check.h"

__global__ void spin(float* out, int steps) {
    float x = 1;
    for (int i = 0; i < steps; ++i) x = x * 0.999f + 0.5f;
    *out = x;
}

static float timed(cudaStream_t stream, float* out, int steps) {
    cudaEvent_t begin{}, end{};
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventRecord(begin, stream));
    spin<<<1, 1, 0, stream>>>(out, steps);
    CUDA(cudaEventRecord(end, stream));
    CUDA(cudaEventSynchronize(end));
    float ms = -1;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaEventDestroy(end));
    return ms;
}

int main(int argc, char** argv) {
    const bool wall = argc > 1 && !std::strcmp(argv[1], "wall");
    float* out = device_zeros<float>(1);
    cudaStream_t stream{};
    CUDA(cudaStreamCreate(&stream));

    // A dependent multiply-add takes 4 cycles of 1.98 GHz, and the loop around it some more.
    const float ms = timed(stream, out, 100000);
    EXPECT(ms > 0);
    if (!wall) {
        EXPECT(ms > 0.19f && ms < 2.0f);
        // It repeats, but for the host's own time.
        EXPECT(std::fabs(timed(stream, out, 100000) - ms) < 0.05f * ms);
        EXPECT(std::fabs(timed(stream, out, 200000) - 2 * ms) < 0.1f * ms);

        cudaEvent_t begin{}, end{};
        CUDA(cudaEventCreate(&begin));
        CUDA(cudaEventCreate(&end));
        CUDA(cudaEventRecord(begin, stream));
        spin<<<1, 1, 0, stream>>>(out, 100000);
        CUDA(cudaEventRecord(end, stream));
        float early = -1;
        EXPECT(cudaEventElapsedTime(&early, begin, end) == cudaErrorNotReady);
        EXPECT(cudaEventQuery(end) == cudaErrorNotReady);
        EXPECT(cudaStreamQuery(stream) == cudaErrorNotReady);
        cudaGetLastError();
        int asked = 0;
        while (cudaEventQuery(end) == cudaErrorNotReady) ++asked;
        cudaGetLastError();
        EXPECT(asked > 10);
        EXPECT(cudaStreamQuery(stream) == cudaSuccess);
        CUDA(cudaEventElapsedTime(&early, begin, end));
        EXPECT(early > 0.9f * ms);
    }
    CUDA(cudaStreamDestroy(stream));
    return finish("simulated-clock");
}
