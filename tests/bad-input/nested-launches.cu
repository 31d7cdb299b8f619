// What a launch in a kernel may get wrong: too deep, too many, too large, and a child that faults.
// RUN: lockstep run %s -- deep
// OUT: ^error 69 at depth 32, no error$
// ERR: kernel 'deep\(int\)' was not launched by kernel 'deep\(int\)': 32 launches are pending, .*cudaLimitDevRuntimePendingLaunchCount
// RUN: lockstep run %s -- tail
// OUT: ^error 69, 2048 launched, no error$
// RUN: lockstep run %s -- large
// OUT: ^error 9, no error$
// ERR: kernel 'none\(\)' was not launched by kernel 'large\(\)': the block \(2048, 1, 1\)
// RUN: lockstep run %s -- fault
// EXIT: 1
// OUT: ^error 0, an illegal memory access was encountered$
// ERR: kernel faulty\(int\*\).*write of 4 bytes at 0x10 .*; launched by kernel parent\(\), block \(0,0,0\), thread \(3,0,0\)
#include <cstdio>
#include <cstring>

__device__ int error, count;

__global__ void none() {}
__global__ void deep(int depth) {
    deep<<<1, 1>>>(depth + 1);
    const cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess) return;
    error = status;
    count = depth;
}
__global__ void tail() {
    for (int i = 0; i < 3000; ++i) {
        none<<<1, 1, 0, cudaStreamTailLaunch>>>();
        const cudaError_t status = cudaGetLastError();
        if (status == cudaSuccess)
            ++count;
        else
            error = status;
    }
}
__global__ void large() {
    none<<<1, 2048>>>();
    error = cudaGetLastError();
}
__global__ void faulty(int* nowhere) { *nowhere = 1; }
__global__ void parent() {
    if (threadIdx.x == 3) faulty<<<1, 1>>>(reinterpret_cast<int*>(16));
}

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    if (!std::strcmp(what, "deep")) {
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32);
        deep<<<1, 1>>>(0);
    } else if (!std::strcmp(what, "tail")) {
        tail<<<1, 1>>>();
    } else if (!std::strcmp(what, "large")) {
        large<<<1, 1>>>();
    } else {
        parent<<<1, 32>>>();
    }
    const cudaError_t status = cudaDeviceSynchronize();
    int values[2] = {};
    cudaMemcpyFromSymbol(&values[0], error, sizeof(int));
    cudaMemcpyFromSymbol(&values[1], count, sizeof(int));
    std::printf("error %d", values[0]);
    if (!std::strcmp(what, "deep")) std::printf(" at depth %d", values[1]);
    if (!std::strcmp(what, "tail")) std::printf(", %d launched", values[1]);
    std::printf(", %s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
