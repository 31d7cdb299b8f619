// PTX in a HIP program: told with the source's line.
// RUN: lockstep run %s
// EXIT: 125
// ERR: hip-ptx\.hip:%l: asm with 'mov\.u32 s\d+, .laneid', which is PTX: an AMD GPU takes instructions of its own
// RUN: lockstep run -DGUARDED %s
// EXIT: 125
// ERR: hip-ptx\.hip:1[34]: asm with 'setp\.eq\.u32 p, v\d+, 0', which is PTX
#include <hip/hip_runtime.h>

__global__ void lanes(unsigned* p) {
    unsigned lane = 0;
#ifdef GUARDED
    asm volatile(
        "{\n .reg .pred p;\n setp.eq.u32 p, %0, 0;\n }" : "+v"(lane));
#else
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));  // HERE
#endif
    p[threadIdx.x] = lane;
}

int main() {
    unsigned* p;
    (void)hipMalloc(&p, 256);
    lanes<<<1, 64>>>(p);
    return hipDeviceSynchronize() != hipSuccess;
}
