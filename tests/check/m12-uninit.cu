// bug: uninitialised
// line: 0
// found: init/
// note: sums of what nobody has written
#include <cstdio>
__global__ void k(int*a,int*b){__shared__ int s[32];b[threadIdx.x]=a[threadIdx.x]+s[threadIdx.x];}
int main(){int*d,*e;cudaMalloc(&d,128);cudaMalloc(&e,128);k<<<1,32>>>(d,e);int h[32];cudaMemcpy(h,e,128,cudaMemcpyDeviceToHost);printf("%d %d\n",h[0],h[31]);}
