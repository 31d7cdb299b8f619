// bug: missing-lane
// line: 6
// found: sync/missing-lane
// note: a mask names lanes that do not come
#include <cstdio>
__global__ void k(int*a){if(threadIdx.x<16)a[threadIdx.x]=__shfl_down_sync(0xffffffff,threadIdx.x,1);}
int main(){int*d;cudaMalloc(&d,1024);k<<<1,32>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
