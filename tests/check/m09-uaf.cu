// bug: use-after-free
// line: 6
// found: memory/use-after-free
// note: memory is used after cudaFree
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){int*d;cudaMalloc(&d,128);cudaFree(d);k<<<1,32>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
