// bug: copy-out-of-bounds
// line: 6
// found: memory/copy-out-of-bounds
// note: a copy larger than the allocation
#include <cstdio>
int main(){int*d;cudaMalloc(&d,100);static char h[1000];printf("%s\n",cudaGetErrorString(cudaMemcpy(d,h,1000,cudaMemcpyHostToDevice)));printf("%s\n",cudaGetErrorString(cudaMemset(d,0,1000)));printf("%s\n",cudaGetErrorString(cudaMemcpy(nullptr,h,10,cudaMemcpyHostToDevice)));}
