// bug: launch-failed
// line: 7
// found: host/launch-failed
// note: more dynamic shared memory than a launch may have
#include <cstdio>
__global__ void k(int*a){extern __shared__ int s[];s[threadIdx.x]=7;a[0]=s[0];}
int main(){int*d;cudaMalloc(&d,1<<20);k<<<1,32,64*1024>>>(d);printf("%s\n",cudaGetErrorString(cudaGetLastError()));}
