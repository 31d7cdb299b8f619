// bug: output-lost
// line: 8
// found: host/output-lost
// note: the program ends before the kernel has printed
#include <cstdio>
// typical bug: printf in kernel without cudaDeviceSynchronize
__global__ void k(){printf("hi\n");}
int main(){k<<<1,1>>>();return 0;}
