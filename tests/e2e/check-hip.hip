// A HIP program's host side and the first bad access of a kernel are checked; what is not looked for is said.
// RUN: lockstep check %s -- wrong
// EXIT: 1
// OUT: error: memory: write of 4 bytes at 0x[0-9a-f]+ is out of bounds
// OUT: in kernel fill
// OUT: write at .*check-hip\.hip:%l in fill
// OUT: allocated at .*check-hip\.hip:\d+ in main
// OUT: in HIP programs there is no racecheck, initcheck, undefined yet
// OUT: 1 finding: 1 memory error
// RUN: lockstep check %s -- leak
// EXIT: 1
// OUT: error: leak: 1024 bytes of device memory that hipMalloc gave were never
// OUT: 1 finding: 1 leak
// RUN: lockstep check %s
// OUT: nothing found \(memory, sync, leak, host\)
// RUN: lockstep check --tool racecheck %s
// EXIT: 2
// ERR: check looks for nothing of racecheck in HIP programs yet
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;  // HERE
}

int main(int count, char** words) {
    const int n = 256;
    const bool wrong = count > 1 && std::strcmp(words[1], "wrong") == 0,
               leaks = count > 1 && std::strcmp(words[1], "leak") == 0;
    int *out, last = 0;
    if (hipMalloc(&out, n * sizeof(int)) != hipSuccess) return 1;
    fill<<<2, n>>>(out, wrong ? n + 1 : n);
    if (hipGetLastError() != hipSuccess) return 1;
    const hipError_t copied = hipMemcpy(&last, out + n - 1, sizeof last, hipMemcpyDeviceToHost);
    std::printf("%d %s\n", last, hipGetErrorString(copied));
    if (!leaks && hipFree(out) != hipSuccess) return 1;
    return 0;
}
