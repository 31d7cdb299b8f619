// bug: race-blocks
// line: 6
// found: race/race-blocks
// note: blocks count without atomics
#include <cstdio>
__global__ void k(int*a){a[0]+=1;}
int main(){int*d;cudaMalloc(&d,128);cudaMemset(d,0,128);k<<<10,256>>>(d);int h;cudaMemcpy(&h,d,4,cudaMemcpyDeviceToHost);printf("%d of 2560\n",h);}
