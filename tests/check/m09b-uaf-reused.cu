// bug: use-after-free
// line: 6
// found: memory/use-after-free
// note: memory is used after cudaFree, and something else was allocated since
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){int*d,*e;cudaMalloc(&d,128);cudaFree(d);cudaMalloc(&e,128);printf("same %d\n",d==e);k<<<1,32>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
