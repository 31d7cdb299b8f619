// bug: stack-overflow
// line: 6
// found: memory/stack-overflow
// note: a recursion that never ends
#include <cstdio>
__device__ int f(int n,volatile int*p){volatile int buf[64];buf[n&63]=n;if(n==p[1])return 0;return f(n+1,p)+buf[n&63];}
__global__ void k(int*a){a[0]=f(0,a);}
int main(){int*d;cudaMalloc(&d,128);cudaMemset(d,0xff,128);k<<<1,1>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
