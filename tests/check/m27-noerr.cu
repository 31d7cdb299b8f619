// bug: out-of-bounds-write
// line: 6
// found: memory/out-of-bounds-write
// note: nobody looks at the fault of a kernel
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x+100000]=7;}
int main(){int*d;cudaMalloc(&d,64);k<<<1,32>>>(d);cudaFree(d);return 0;}
