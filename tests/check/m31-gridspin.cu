// bug: endless-loop
// line: 7
// found: sync/endless-loop
// note: blocks wait for others that cannot begin
#include <cstdio>
__device__ volatile int arrived;
__global__ void k(int n){if(threadIdx.x==0){atomicAdd((int*)&arrived,1);while(arrived<n);}__syncthreads();}
int main(){k<<<100,32>>>(100);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));k<<<10000,32>>>(10100);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
