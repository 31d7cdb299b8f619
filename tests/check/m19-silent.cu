// bug: launch-error-ignored
// line: 7
// found: host/launch-error-ignored
// note: a launch fails, and nobody looks
#include <cstdio>
__global__ void k(int*a,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;a[i]=i;}
int main(){int*d;cudaMalloc(&d,1000*4);k<<<1,2000>>>(d,1000);int h[10];cudaMemcpy(h,d,40,cudaMemcpyDeviceToHost);printf("h[1]=%d\n",h[1]);return 0;}
