// The public declarations, with the visibility that the exported symbols of the library have.
#pragma once
#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"

extern "C" {
// What nvcc 13 calls, beside what the public header declares.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream);
char __cudaInitModule(void** handle);
void __lockstepRegisterManagedRange(void* begin, void* end);
}
#pragma GCC visibility pop
