// bug: endless-loop
// line: 6
// found: sync/endless-loop
// note: a loop that never ends
#include <cstdio>
__global__ void k(volatile int*a){while(a[0]==0);}
int main(){int*d;cudaMalloc(&d,128);cudaMemset(d,0,128);k<<<1,32>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
