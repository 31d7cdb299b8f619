// bug: out-of-bounds-write
// line: 6
// found: memory/out-of-bounds-write
// note: an index beyond the allocation
#include <cstdio>
__global__ void k(int*a,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;a[i]=i;}
int main(){int*d;cudaMalloc(&d,1000*4);k<<<4,256>>>(d,1000);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
