// Names of CUDA's in a HIP program, and HIP's in a CUDA program: told with what to take instead, after the
// compiler's own message with the line; an instruction that lockstep lacks by its name and line.
// RUN: lockstep run %s
// EXIT: 1
// ERR: hip-foreign-names\.hip:%l:\d+: error: use of undeclared identifier '__nanosleep'
// ERR: ^lockstep: __nanosleep: this is CUDA's; AMD's GPUs sleep with __builtin_amdgcn_s_sleep$
// ERR: ^lockstep: __ldcg: this is a hint for NVIDIA's caches: leave it out$
// ERR: ^lockstep: cudaMalloc: this is a HIP program, and the name is CUDA's: HIP's is hipMalloc$
// RUN: sed 's/<hip.hip_runtime.h>/<cuda_runtime.h>/' %s > %t/a.cu && lockstep run -DCUDA %t/a.cu
// EXIT: 1
// ERR: ^lockstep: __builtin_amdgcn_readfirstlane: this is clang's for AMD's GPUs$
// ERR: ^lockstep: hipDeviceSynchronize: this is a CUDA program, and the name is HIP's
// RUN: lockstep run -DWAVES %s
// EXIT: 125
// ERR: the instruction ds_gws_barrier is not supported \(line \d+ of the assembly, .*hip-foreign-names\.hip:\d+\)
#include <hip/hip_runtime.h>
#ifdef WAVES
__global__ void kernel(int* p) { __builtin_amdgcn_ds_gws_barrier(1, 2); }
int main() {
    kernel<<<1, 64>>>(nullptr);
    return hipDeviceSynchronize() != hipSuccess;
}
#elif defined(CUDA)
__global__ void kernel(int* p) { p[0] = __builtin_amdgcn_readfirstlane(p[1]); }
int main() { hipDeviceSynchronize(); }
#else
__global__ void kernel(int* p) {
    __nanosleep(5);  // HERE
    p[0] = __ldcg(p + 1);
}
int main() { cudaMalloc(nullptr, 4); }
#endif
