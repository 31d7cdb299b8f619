// bug: division-by-zero
// line: 6
// found: undefined/division-by-zero
// note: a division by zero
#include <cstdio>
__global__ void k(int*a,float*f){a[1]=a[0]/a[2];a[3]=a[0]%a[2];f[8]=1.f/f[9];}
int main(){int*d;cudaMalloc(&d,128);int h[32]={5};cudaMemcpy(d,h,128,cudaMemcpyHostToDevice);k<<<1,1>>>(d,(float*)d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));cudaMemcpy(h,d,128,cudaMemcpyDeviceToHost);printf("%d %d\n",h[1],h[3]);}
