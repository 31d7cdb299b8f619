// bug: host-pointer
// line: 7
// found: memory/host-pointer
// note: a kernel is given memory from malloc
#include <cstdio>
#include <cstdlib>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){int*h=(int*)malloc(128);k<<<1,32>>>(h);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));printf("h[5]=%d\n",h[5]);}
