// bug: results-never-read
// line: 7
// found: host/results-never-read
// note: the results are never copied back
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){int h[32]={0};int*d;cudaMalloc(&d,128);k<<<1,32>>>(d);cudaDeviceSynchronize();printf("h[5]=%d\n",h[5]);cudaFree(d);}
