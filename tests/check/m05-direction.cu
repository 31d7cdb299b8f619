// bug: copy-direction
// line: 7
// found: memory/copy-direction
// note: the direction of a copy is the wrong one
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){int h[32]={0};int*d;cudaMalloc(&d,128);printf("%s\n",cudaGetErrorString(cudaMemcpy(d,h,128,cudaMemcpyDeviceToHost)));k<<<1,32>>>(d);printf("%s\n",cudaGetErrorString(cudaMemcpy(h,d,128,cudaMemcpyHostToDevice)));printf("h[5]=%d\n",h[5]);}
