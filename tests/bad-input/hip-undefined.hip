// Device functions and variables of other files, without -fgpu-rdc and with it.
// RUN: lockstep run %s
// EXIT: 1
// ERR: hip-undefined\.hip:%l: error: space::missing\(float\) is used in device code
// ERR: hip-undefined\.hip:%l: error: absent is used in device code and defined for the device nowhere in this file; .*-fgpu-rdc
// NOT: _ZN
// RUN: lockstep run -fgpu-rdc %s
// EXIT: 1
// ERR: ^error: absent is used in device code, and no file defines it for the device$
// ERR: ^error: space::missing\(float\) is used in device code
// NOT: \.device
#include <hip/hip_runtime.h>
extern __device__ int absent;
namespace space {
__device__ float missing(float x);
}
__global__ void kernel(float* out) {
    *out = space::missing(*out) + absent;  // HERE
}
int main() { kernel<<<1, 1>>>(nullptr); }
