// A kernel that is not compiled within --timeout has not run: that is in the findings, their forms and the exit status.
// RUN: lockstep check --no-cache --timeout 0.001 --json %t/f.json %s; echo "status $?"; cat %t/f.json
// OUT: ^error: undefined: .*still being compiled after 0\.001 seconds
// OUT: ^  in kernel k$
// OUT: ^  fix: raise --timeout$
// OUT: ^== lockstep == .*1 finding
// OUT: ^status 1$
// OUT: "kind": "not-checked",$
// RUN: lockstep check --no-cache %s
// OUT: ^== lockstep == nothing found
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
    int *p, h[32] = {};
    cudaMalloc(&p, sizeof h);
    k<<<1, 32>>>(p);
    if (cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess) std::printf("%d\n", h[3]);
    cudaFree(p);
}
