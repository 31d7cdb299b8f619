// bug: misaligned
// line: 6
// found: memory/misaligned
// note: a misaligned address
#include <cstdio>
__global__ void k(char*a){*(int*)(a+1)=7;}
int main(){char*d;cudaMalloc(&d,128);k<<<1,1>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
