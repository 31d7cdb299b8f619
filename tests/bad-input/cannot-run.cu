// What lockstep itself cannot run is missing from the results: a program that does not look at errors ends
// with a status of its own, 125. Errors that a GPU would give, too, leave the program's status alone.
// RUN: lockstep run %s -- unsupported
// EXIT: 125
// OUT: ^the end$
// ERR: ^lockstep: kernel unsupported.*clusterlaunchcontrol
// ERR: ^lockstep: 1 launch could not be run, results may be wrong: exit status 125 instead of 0 \(first: kernel unsupported
// RUN: lockstep run %s -- unsupported 3
// EXIT: 3
// NOT: instead of 0
// RUN: lockstep nvcc -o %t/alone %s && %t/alone unsupported
// EXIT: 125
// RUN: lockstep run %s -- handled
// EXIT: 125
// OUT: ^cudaErrorInvalidPtx: on the CPU instead$
// RUN: lockstep run %s -- devices
// EXIT: 125
// ERR: ^lockstep: .*cudaLaunchCooperativeKernelMultiDevice is not implemented
// RUN: lockstep run %s -- child
// OUT: ^child: status 125$
// RUN: lockstep run %s -- parent
// EXIT: 125
// OUT: ^child: status 0$
// RUN: lockstep run %s -- later
// EXIT: 125
// OUT: ^another function that is called at the end$
// RUN: lockstep run %s -- fault
// ERR: ^lockstep: kernel fault.*out of bounds
// RUN: lockstep run %s -- refused
// ERR: ^lockstep: .*was not launched
// RUN: lockstep run %s -- query
// OUT: ^cudaErrorNotSupported$
// ERR: ^lockstep: .*cudaDeviceGetHostAtomicCapabilities is not implemented
// RUN: LOCKSTEP_GPU=gtx9999 %t/alone fine
// EXIT: 125
// ERR: ^lockstep: .*gtx9999
// ERR: ^lockstep: the program could not use the simulated GPU: exit status 125 instead of 0
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" cudaError_t cudaDeviceGetHostAtomicCapabilities();

__global__ void fine(unsigned long* out) { *out = 1; }
__global__ void unsupported(unsigned long* out) {
    asm volatile(
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%0];" ::
            "l"(out));
}
__global__ void fault(unsigned long* out) { out[1 << 20] = 1; }

unsigned long* out = nullptr;

int in_child(bool launches) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (launches) unsupported<<<1, 1>>>(out);
        std::exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("child: status %d\n", WEXITSTATUS(status));
    return 0;
}

int main(int count, char** arguments) {
    const std::string how = arguments[1];
    std::atexit([] { std::puts("another function that is called at the end"); });
    cudaMalloc(&out, sizeof *out);
    fine<<<1, 1>>>(out);
    if (how == "unsupported" || how == "handled" || how == "parent" || how == "later")
        unsupported<<<1, 1>>>(out);
    if (how == "handled") std::printf("%s: on the CPU instead\n", cudaGetErrorName(cudaGetLastError()));
    if (how == "later") std::atexit([] { std::puts("one that was asked for after the launch"); });
    if (how == "child") return in_child(true);
    if (how == "parent") return in_child(false);
    if (how == "fault") fault<<<1, 1>>>(out);
    if (how == "refused") fine<<<1, 2048>>>(out);
    if (how == "devices") cudaLaunchCooperativeKernelMultiDevice(nullptr, 0);
    if (how == "query") std::puts(cudaGetErrorName(cudaDeviceGetHostAtomicCapabilities()));
    cudaDeviceSynchronize();
    std::puts("the end");
    return count > 2 ? std::atoi(arguments[2]) : 0;
}
