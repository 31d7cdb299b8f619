// Device functions and variables of other files: what nvcc refuses is refused, with the name as the program
// has it.
// RUN: lockstep run %s
// EXIT: 1
// ERR: separate-undefined\.cu:%l: error: device function space::missing\(float\) is defined nowhere in this file; .*-rdc=true
// RUN: lockstep run -rdc=true %s
// EXIT: 1
// ERR: ^error: space::missing\(float\) is used in device code, and no file defines it for the device$
// ERR: ^error: absent is used in device code
// NOT: \.device
// RUN: cd %t && lockstep nvcc -dc %s -o a.o && lockstep nvcc -dlink a.o -o link.o
// EXIT: 1
// ERR: ^error: space::missing\(float\) is used in device code
// RUN: cd %t && lockstep nvcc -dc -DDEFINE %s -o a.o && cp a.o b.o && lockstep nvcc -dlink a.o b.o -o link.o
// EXIT: 1
// ERR: ^error: space::missing\(float\) is defined for the device in two files$
#ifndef DEFINE
extern __device__ int absent;
namespace space {
__device__ float missing(float x);
}
__global__ void kernel(float* out) {
    *out = space::missing(*out) + absent;  // HERE
}
int main() { kernel<<<1, 1>>>(nullptr); }
#else
namespace space {
__device__ float missing(float x) { return x; }
}  // namespace space
#endif
