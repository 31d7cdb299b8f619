// bug: endless-loop
// line: 6
// found: sync/endless-loop
// note: a loop that waits for what nobody writes
#include <cstdio>
__global__ void k(int*a){if(threadIdx.x==0){__syncthreads();}else if(threadIdx.x<40){while(((volatile int*)a)[0]==0);}  }
int main(){int*d;cudaMalloc(&d,64);cudaMemset(d,0,64);k<<<1,128>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
